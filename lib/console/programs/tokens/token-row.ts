import { z } from 'zod'
import { anyTable } from '../../../contract/people/rights.ts'
import { tokenRoleSchema } from '../../../contract/people/session.ts'
import type { RowVersion } from '../../store/row-versions.ts'
import { type RowMark, readRow } from '../../store/sealed-rows.ts'

/** A token as stored. */
const tokenRowSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    secret_hash: z.string(),
    role: tokenRoleSchema.nullable(),
    prefixes: z.array(z.string()).nullable(),
    tables: z.array(z.string()).nullable(),
    created_by: z.string(),
    created_at: z.date(),
    version: z.coerce.number().nullable(),
    seal: z.string().nullable(),
  })
  .transform((row) => ({
    id: row.id,
    name: row.name,
    secretHash: row.secret_hash,
    // Tokens made before roles existed are good for all names; a token with a role and no prefix is good for none.
    role: row.role ?? 'client',
    prefixes: row.prefixes ?? (row.role === null ? [''] : []),
    // Tokens made before they named tables keep all of them.
    tables: row.tables ?? [anyTable],
    createdBy: row.created_by,
    createdAt: row.created_at,
    version: row.version,
    seal: row.seal,
  }))

type StoredToken = z.infer<typeof tokenRowSchema>
/** A token whose row holds: store/sealed-rows.ts. */
export type TokenRow = StoredToken & RowMark

/** What the seal of a token is over, by the names of the columns. */
export const tokenColumns = (token: Omit<StoredToken, keyof RowMark>) => ({
  id: token.id,
  name: token.name,
  secret_hash: token.secretHash,
  role: token.role,
  prefixes: token.prefixes,
  tables: token.tables,
  created_by: token.createdBy,
  created_at: token.createdAt,
})

/** @param stored a row as the driver gives it */
export const readToken = (stored: Record<string, unknown>) =>
  readRow({ table: 'api_tokens', key: String(stored.id) }, stored, tokenRowSchema, tokenColumns)

/** What an audit entry says of a token that was made. */
export const tokenVersion = ({ id, version }: TokenRow): RowVersion => ({
  table: 'api_tokens',
  key: id,
  version,
})
/** What an audit entry says of a token that was revoked. */
export const revokedVersion = (id: string): RowVersion => ({ table: 'api_tokens', key: id, version: null })
