/**
 * Seals the rows of users and tokens that have no seal yet, as they are: once, when the migration to sealed rows runs, and
 * from the server's shell (`npm run user -- seal`) after the audit key was lost. Sessions are not sealed afterwards: they end.
 */
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { peopleStatements } from '../../people/people-statements.ts'
import { readUser } from '../../people/user-row.ts'
import { readToken } from '../../programs/tokens/token-row.ts'
import { tokenStatements } from '../../programs/tokens/token-statements.ts'
import type { RowSeal } from '../../store/row-seal.ts'
import { type RowVersion, RowVersions } from '../../store/row-versions.ts'
import { MigrationError } from '../../store/schema/migrate.ts'
import { type ReadRow, SealedRows } from '../../store/sealed-rows.ts'

export interface SealOptions {
  session: CassandraSession
  rows: SealedRows
}

export interface Sealing {
  /** The rows that were sealed now. */
  sealed: RowVersion[]
  /** How many rows were changed or sealed by another instance since they were read. They stay as they are. */
  refused: number
  /** Rows that do not have the seal, although Cassandra answered that they were written: a timestamp in the future hides it. */
  hidden: { table: string; key: string }[]
}

/** How a kind of rows is sealed and read back. */
interface Kind<T> {
  read: (stored: Record<string, unknown>) => ReadRow<T>
  confirm: Statement
  seal: Statement
  /** The column that shows, beside the seal, that the row is as it was read. */
  as: (row: T) => unknown
}

export async function sealRows({ session, rows }: SealOptions): Promise<Sealing> {
  const { keyspace, serial } = session
  const statements = { ...peopleStatements(keyspace, serial), ...tokenStatements(keyspace, serial) }
  const sealing: Sealing = { sealed: [], refused: 0, hidden: [] }
  const stored = async (list: Statement) => (await session.execute(list, [])).rows
  const seal = async <T>(found: readonly ReadRow<T>[], kind: Kind<T>) => {
    for (const row of found) {
      // A row that cannot be read gives no right, whatever its seal.
      if (row.columns === null || rows.isSealed(row)) continue
      const { table, key } = row
      const mark = rows.next(table, row.columns, row.version ?? 0)
      const values = [BigInt(mark.version), mark.seal, key, kind.as(row.row), row.seal]
      const answer = await session.execute(kind.seal, values)
      if (answer.rows[0]?.['[applied]'] !== true) {
        sealing.refused += 1
        continue
      }
      const [written] = (await session.execute(kind.confirm, [key])).rows
      const now = written === undefined ? null : kind.read(written)
      const isSealed = now !== null && rows.isSealed(now) && (now.version ?? 0) >= mark.version
      if (isSealed) sealing.sealed.push({ table, key, version: mark.version })
      else sealing.hidden.push({ table, key })
    }
  }
  const { listUsers, confirmUser, sealUser, listTokens, confirmToken, sealToken } = statements
  // Both before the first write: what another instance seals meanwhile is not sealed again.
  const users = (await stored(listUsers)).map(readUser)
  const tokens = (await stored(listTokens)).map(readToken)
  await seal(users, { read: readUser, confirm: confirmUser, seal: sealUser, as: (row) => row.changeId })
  await seal(tokens, { read: readToken, confirm: confirmToken, seal: sealToken, as: (row) => row.secretHash })
  return sealing
}

/**
 * The step after the migration to sealed rows, through the connection of the schema role.
 * @throws MigrationError when another instance changed or sealed a row meanwhile. This one may have lost its lease, so it does
 * not seal that row again: its key may be another one. Nor may it go on: the row may have the seal of a start that gave up.
 * A row whose seal a timestamp in the future hides gives no right, and keeps no start from going on.
 */
export async function sealStored(session: CassandraSession, seal: RowSeal): Promise<void> {
  const nowMs = () => Date.now()
  const rows = new SealedRows({ seal, versions: new RowVersions(nowMs), nowMs, report: () => {} })
  const { refused } = await sealRows({ session, rows })
  if (refused > 0)
    throw new MigrationError('Users or tokens changed while this start was sealing them; start again.')
}
