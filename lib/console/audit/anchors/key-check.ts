/**
 * Which audit key the instances of a keyspace have: one row, sealed under that key, which the schema role alone writes.
 *
 * Guarantees: a console with another key than the first one had does not start, and says so, also where both start at once:
 * the first row stays, until `rekey` replaces it. Each write is read back, because its answer may be lost, and because a row of
 * an earlier version, whose writes had no condition, hides it if that instance's clock was ahead. The row says too from which
 * entry on the chain is this key's, so that a reader who begins there can check each entry.
 * Does not guarantee: anything where the console has one role for everything, which may then delete the row: the start is
 * refused, until an operator has made a new one.
 */
import type { CassandraSession } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
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

/**
 * Writes the row where there is none.
 * @param schema a session that may modify the table
 * @throws ConfigError when the keyspace has another key; StatementUnknownError when the answer was lost, and the row is not there
 */
export async function keepKeyCheck(schema: CassandraSession, key: AuditKey, since: KeySince): Promise<void> {
  const { insert } = keyStatements(schema.keyspace, schema.serial)
  const lost = await lostAnswer(schema.execute(insert, valuesOf(key, since)))
  const row = await storedRow(schema)
  if (lost !== null && row === undefined) throw lost
  checkRow(schema.keyspace, key, row)
}

/**
 * Writes the row in the place of the one that is there, also of none: the key was lost.
 * @param schema a session that may modify the table
 * @throws ConfigError when another new key was first; StatementUnknownError when the answer was lost, and the row is as before
 */
export async function replaceKeyCheck(
  schema: CassandraSession,
  key: AuditKey,
  since: KeySince,
): Promise<void> {
  const { replace } = keyStatements(schema.keyspace, schema.serial)
  const sealBefore = (await storedRow(schema))?.seal ?? null
  const lost = await lostAnswer(schema.execute(replace, [...valuesOf(key, since), sealBefore]))
  const row = await storedRow(schema)
  if (lost !== null && (row?.seal ?? null) === sealBefore) throw lost
  checkRow(schema.keyspace, key, row)
}

function valuesOf(key: AuditKey, since: KeySince): unknown[] {
  const row = {
    id: 'current',
    key_id: key.id,
    since_bucket: since?.bucket ?? null,
    since_seq: since?.seq ?? null,
    since_hash: since?.hash ?? null,
    made_at: new Date(),
  }
  const { id, ...columns } = row
  return [...Object.values(columns), new RowSeal(key.bytes).seal('audit_keys', 1, row)]
}

/** The error of a write whose answer was lost: the row tells what became of it. null: the write was answered. */
async function lostAnswer(write: Promise<unknown>): Promise<Error | null> {
  try {
    await write
    return null
  } catch (thrown) {
    if (isLeaseholdError(thrown, 'statement-unknown')) return thrown
    throw thrown
  }
}

async function storedRow(session: CassandraSession): Promise<Record<string, unknown> | undefined> {
  const { rows } = await session.execute(keyStatements(session.keyspace, session.serial).read, [])
  return rows[0]
}

/** @throws ConfigError when this is not the key of the keyspace */
export async function checkKey(session: CassandraSession, key: AuditKey): Promise<KeySince> {
  return checkRow(session.keyspace, key, await storedRow(session))
}

function checkRow(keyspace: string, key: AuditKey, stored: Record<string, unknown> | undefined): KeySince {
  if (stored === undefined)
    throw new ConfigError(
      `The keyspace ${keyspace} does not say which audit key its consoles have: its table audit_keys is empty. \`npm run audit -- rekey\` says what to do; so does docs/operations.md.`,
    )
  const row = rowSchema.parse(stored)
  if (row.key_id !== key.id)
    throw new ConfigError(
      `This console's audit key (${key.id}) is not the one that the consoles of the keyspace ${keyspace} have (${row.key_id}): set LEASEHOLD_AUDIT_KEY to theirs, or copy audit-key from the data directory of one of them. If that key is lost: \`npm run audit -- rekey\`, as docs/operations.md says.`,
    )
  if (!new RowSeal(key.bytes).check('audit_keys', 1, row, stored.seal as string | null))
    throw new ConfigError(
      `The row of audit_keys in ${keyspace} was changed past the console. docs/operations.md says what to do.`,
    )
  const { since_bucket: bucket, since_seq: seq, since_hash: hash } = row
  return bucket === null || seq === null || hash === null ? null : { bucket, seq, hash }
}
