/**
 * Seals the rows of users and tokens that have no seal yet, as they are: once, when the migration to sealed rows runs, and
 * from the server's shell (`npm run user -- seal`) after the audit key was lost. Sessions are not sealed afterwards: they end.
 */
import type { CassandraSession, ExecutedRows } from 'leasehold/cassandra'
import { peopleStatements } from '../people/people-statements.ts'
import { readUser } from '../people/user-row.ts'
import { readToken } from '../programs/tokens/token-row.ts'
import { tokenStatements } from '../programs/tokens/token-statements.ts'
import type { RowSeal } from '../store/row-seal.ts'
import { type RowVersion, RowVersions } from '../store/row-versions.ts'
import { MigrationError } from '../store/schema/migrate.ts'
import { type ReadRow, SealedRows } from '../store/sealed-rows.ts'

export interface SealOptions {
  session: CassandraSession
  rows: SealedRows
}

interface Sealing {
  /** The rows that were sealed now. */
  sealed: RowVersion[]
  /** How many rows were changed or sealed by another instance since they were read. They stay as they are. */
  refused: number
}

export async function sealRows({ session, rows }: SealOptions): Promise<Sealing> {
  const { keyspace, serial } = session
  const statements = { ...peopleStatements(keyspace, serial), ...tokenStatements(keyspace, serial) }
  const users = (await session.execute(statements.listUsers, [])).rows.map(readUser)
  const tokens = (await session.execute(statements.listTokens, [])).rows.map(readToken)
  const sealed: RowVersion[] = []
  let refused = 0
  const seal = async <T>(
    row: ReadRow<T>,
    write: (version: number, seal: string) => Promise<ExecutedRows>,
  ) => {
    // A row that cannot be read gives no right, whatever its seal.
    if (row.columns === null || rows.isSealed(row)) return
    const mark = rows.next(row.table, row.columns, row.version ?? 0)
    const answer = await write(mark.version, mark.seal)
    if (answer.rows[0]?.['[applied]'] === true)
      sealed.push({ table: row.table, key: row.key, version: mark.version })
    else refused += 1
  }
  for (const user of users)
    await seal(user, (version, mark) =>
      session.execute(statements.sealUser, [BigInt(version), mark, user.key, user.row.changeId, user.seal]),
    )
  for (const token of tokens)
    await seal(token, (version, mark) =>
      session.execute(statements.sealToken, [
        BigInt(version),
        mark,
        token.key,
        token.row.secretHash,
        token.seal,
      ]),
    )
  return { sealed, refused }
}

/**
 * The step after the migration to sealed rows, through the connection of the schema role.
 * @throws MigrationError when another instance changed or sealed a row meanwhile. This one may have lost its lease, so it does
 * not seal that row again: its key may be another one. Nor may it go on: the row may have the seal of a start that gave up.
 */
export async function sealStored(session: CassandraSession, seal: RowSeal): Promise<void> {
  const nowMs = () => Date.now()
  const rows = new SealedRows({ seal, versions: new RowVersions(nowMs), nowMs, report: () => {} })
  const { refused } = await sealRows({ session, rows })
  if (refused > 0)
    throw new MigrationError('Users or tokens changed while this start was sealing them; start again.')
}
