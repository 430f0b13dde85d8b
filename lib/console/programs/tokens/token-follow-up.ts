import type { FollowUps } from '../../audit/recovery/recovery.ts'
import type { ApiTokens } from './api-tokens.ts'
import { revokedVersion, tokenVersion } from './token-row.ts'

/**
 * Finds out what became of an act on a token, by reading its row. A row proves that the token was made, and that it was not
 * revoked: ids are drawn for one token, and are never used again. Without a row, the token may never have been made, or
 * another person may have revoked it: `unknown`.
 */
export function tokenFollowUps({ apiTokens }: { apiTokens: Pick<ApiTokens, 'confirmed'> }): FollowUps {
  return {
    'token-create': async ({ on }) => {
      const token = on.kind === 'token' ? await apiTokens.confirmed(on.id) : null
      if (token === null) return { outcome: 'unknown', after: null, rows: [] }
      return { outcome: 'ok', after: null, rows: [tokenVersion(token)] }
    },
    'token-revoke': async ({ on }) => {
      if (on.kind !== 'token') return null
      const token = await apiTokens.confirmed(on.id)
      if (token === null) return { outcome: 'unknown', after: null, rows: [revokedVersion(on.id)] }
      return { outcome: 'not-done', after: null, rows: [tokenVersion(token)] }
    },
  }
}
