import type { Role, TokenRole } from '../../lib/contract/people/rights.ts'
import type { Session } from '../../lib/contract/people/session.ts'

/** What each role may do, in one sentence that stands for itself. */
export const roleWords: Record<Role, string> = {
  viewer: 'Sees the leases, and changes nothing.',
  operator:
    'Sees, acquires and breaks leases, asks holders to resign, approves what others ask for, and reads the audit log.',
  admin: 'Does all that operators do, kills leases, and manages users and tokens.',
}

export const tokenRoleWords: Record<TokenRole, string> = {
  viewer: 'Reads leases, locks and elections. Changes nothing.',
  client: 'Also acquires, renews and releases locks, campaigns, and takes numbers of sequences.',
}

export const tokenRoleTitles: Record<TokenRole, string> = {
  viewer: 'viewer: reads',
  client: 'client: reads and acquires',
}

export const viaWords: Record<Session['via'], string> = {
  password: 'by password',
  sso: 'by single sign-on',
  link: 'by the one-time link of the first start',
  token: 'by a token',
}
