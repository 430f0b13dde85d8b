/**
 * Which audit key the instances of a keyspace have: one row, sealed under that key, which the schema role alone writes.
 *
 * Guarantees: a console with another key than the first one had does not start, and says so. The row says too from which
 * entry on the chain is this key's, so that a reader who begins there can check each entry.
 * Does not guarantee: anything where the console has one role for everything, which may then delete the row: the start is
 * refused, until an operator has made a new one.
 */
import type { CassandraSession } from 'leasehold/cassandra'
import { z } from 'zod'
import { ConfigError } from '../../store/config-error.ts'
import { RowSeal } from '../../store/row-seal.ts'
import type { AuditKey } from './audit-key.ts'
import { keyStatements } from './key-statements.ts'

/** The last entry before the first that is this key's; null: all of the chain is. */
type KeySince = { bucket: string; seq: number; hash: string } | null

const rowSchema = z.object({
  id: z.string(),
  key_id: z.string().nullable(),
  since_bucket: z.string().nullable(),
  since_seq: z.number().nullable(),
  since_hash: z.string().nullable(),
  made_at: z.date().nullable(),
})

/** @param schema a session that may modify the table */
export async function keepKeyCheck(schema: CassandraSession, key: AuditKey, since: KeySince): Promise<void> {
  const row = {
    id: 'current',
    key_id: key.id,
    since_bucket: since?.bucket ?? null,
    since_seq: since?.seq ?? null,
    since_hash: since?.hash ?? null,
    made_at: new Date(),
  }
  const { id, ...columns } = row
  const seal = new RowSeal(key.bytes).seal('audit_keys', 1, row)
  await schema.execute(keyStatements(schema.keyspace, schema.serial).write, [...Object.values(columns), seal])
}

/** @throws ConfigError when this is not the key of the keyspace */
export async function checkKey(session: CassandraSession, key: AuditKey): Promise<KeySince> {
  const { rows } = await session.execute(keyStatements(session.keyspace, session.serial).read, [])
  if (rows[0] === undefined)
    throw new ConfigError(
      `The keyspace ${session.keyspace} does not say which audit key its consoles have: its table audit_keys is empty. \`npm run audit -- rekey\` says what to do; so does docs/operations.md.`,
    )
  const row = rowSchema.parse(rows[0])
  if (row.key_id !== key.id)
    throw new ConfigError(
      `This console's audit key (${key.id}) is not the one that the consoles of the keyspace ${session.keyspace} have (${row.key_id}): set LEASEHOLD_AUDIT_KEY to theirs, or copy audit-key from the data directory of one of them. If that key is lost: \`npm run audit -- rekey\`, as docs/operations.md says.`,
    )
  if (!new RowSeal(key.bytes).check('audit_keys', 1, row, rows[0].seal as string | null))
    throw new ConfigError(
      `The row of audit_keys in ${session.keyspace} was changed past the console. docs/operations.md says what to do.`,
    )
  const { since_bucket: bucket, since_seq: seq, since_hash: hash } = row
  return bucket === null || seq === null || hash === null ? null : { bucket, seq, hash }
}
