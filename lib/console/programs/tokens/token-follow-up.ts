import type { FollowedUp, FollowUps } from '../../audit/recovery/recovery.ts'
import type { ApiTokens } from './api-tokens.ts'
import { revokedVersion, tokenVersion } from './token-row.ts'

const found = (isDone: boolean, rows: NonNullable<FollowedUp['rows']>): FollowedUp => ({
  outcome: isDone ? 'ok' : 'not-done',
  after: null,
  rows,
})

/** Finds out what became of an act on a token, by reading its row. The id of a revoked token is never used again. */
export function tokenFollowUps({ apiTokens }: { apiTokens: Pick<ApiTokens, 'confirmed'> }): FollowUps {
  return {
    'token-create': async ({ on }) => {
      const token = on.kind === 'token' ? await apiTokens.confirmed(on.id) : null
      return token === null ? found(false, []) : found(true, [tokenVersion(token)])
    },
    'token-revoke': async ({ on }) => {
      if (on.kind !== 'token') return null
      const token = await apiTokens.confirmed(on.id)
      return token === null ? found(true, [revokedVersion(on.id)]) : found(false, [tokenVersion(token)])
    },
  }
}
