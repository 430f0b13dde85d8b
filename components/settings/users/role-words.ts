import type { Role, TokenRole } from '../../../lib/contract/people/rights.ts'
import type { Session } from '../../../lib/contract/people/session.ts'

/** What each role may do, in one sentence that stands for itself. */
export const roleWords: Record<Role, string> = {
  viewer: 'Sees leases. Changes nothing.',
  operator:
    'Sees, acquires and breaks leases, asks holders to resign, approves releases, and reads the audit log.',
  admin: 'Everything operators do, and also kills leases and manages users and tokens.',
}

export const tokenRoleWords: Record<TokenRole, string> = {
  viewer: 'Reads leases, locks and elections. Changes nothing.',
  client: 'Also acquires, renews and releases locks, campaigns in elections, and takes sequence numbers.',
}

export const tokenRoleTitles: Record<TokenRole, string> = {
  viewer: 'viewer: reads',
  client: 'client: reads and acquires',
}

export const viaWords: Record<Session['via'], string> = {
  password: 'by password',
  sso: 'by single sign-on',
  link: 'by the first start’s one-time link',
  token: 'by a token',
}
