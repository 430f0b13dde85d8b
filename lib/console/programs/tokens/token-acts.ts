import type { Clock } from 'leasehold/time'
import type { ApiToken, NewToken } from '../../../contract/programs/token.ts'
import { routes } from '../../../contract/routes.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { audited } from '../../audit/audited.ts'
import type { Authority } from '../../audit/authority.ts'
import { ActWindow } from '../../http/act-window.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { ApiTokens } from './api-tokens.ts'
import { revokedVersion, tokenVersion } from './token-row.ts'

/** What tokens of programs need. */
export interface TokenServices {
  readonly apiTokens: ApiTokens
  readonly audit: AuditLog
  readonly clock: Clock
}

type Acts = Pick<TokenServices, 'apiTokens' | 'audit' | 'clock'>

/** Makes a token for a program; it is in this result and nowhere else. */
export async function createToken(
  { apiTokens, audit, clock }: Acts,
  by: Authority,
  wanted: NewToken,
): Promise<ApiToken & { token: string }> {
  by.permit(routes.createToken.permission)
  const { window = new ActWindow(clock) } = by
  const made = apiTokens.draw(wanted, by.actor.username)
  const { id, name, role, prefixes, tables } = made.answer
  const about = {
    act: 'token-create',
    actor: by.actor,
    on: { kind: 'token', id, name },
    wanted: { role, prefixes, tables },
  } as const
  return audited(audit, window, about, async ({ beforeSend }) => {
    await apiTokens.keep(made, beforeSend)
    return { after: { role, prefixes, tables }, result: made.answer, rows: [tokenVersion(made.row)] }
  })
}

/** Revokes a token, at once. @throws HttpProblem not-found */
export async function revokeToken(
  { apiTokens, audit, clock }: Acts,
  by: Authority,
  id: string,
): Promise<void> {
  by.permit(routes.deleteToken.permission)
  const { window = new ActWindow(clock) } = by
  const token = await apiTokens.get(id)
  if (token === null) throw new HttpProblem('not-found', `Token ${id} not found.`)
  const { name, role, prefixes, tables } = token
  const about = {
    act: 'token-revoke',
    actor: by.actor,
    on: { kind: 'token', id, name },
    before: { role, prefixes, tables },
  } as const
  await audited(audit, window, about, async ({ beforeSend }) => {
    await apiTokens.revoke(token, beforeSend)
    return { after: null, result: undefined, rows: [revokedVersion(id)] }
  })
}
