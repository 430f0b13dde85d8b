/**
 * Seals the rows of users and tokens that have no seal yet, as they are: once, when the migration to sealed rows runs, and
 * from the server's shell (`npm run user -- seal`) after the audit key was lost. Sessions are not sealed afterwards: they end.
 */
import type { CassandraSession } from 'leasehold/cassandra'
import { peopleStatements } from '../people/people-statements.ts'
import { readUser } from '../people/user-row.ts'
import { readToken } from '../programs/tokens/token-row.ts'
import { tokenStatements } from '../programs/tokens/token-statements.ts'
import type { RowSeal } from '../store/row-seal.ts'
import { type RowVersion, RowVersions } from '../store/row-versions.ts'
import { type ReadRow, SealedRows } from '../store/sealed-rows.ts'

export interface SealOptions {
  session: CassandraSession
  rows: SealedRows
}

/** @returns the rows that were sealed now */
export async function sealRows({ session, rows }: SealOptions): Promise<RowVersion[]> {
  const { keyspace, serial } = session
  const statements = { ...peopleStatements(keyspace, serial), ...tokenStatements(keyspace, serial) }
  const users = (await session.execute(statements.listUsers, [])).rows.map(readUser)
  const tokens = (await session.execute(statements.listTokens, [])).rows.map(readToken)
  const sealed: RowVersion[] = []
  const seal = async <T>(row: ReadRow<T>, write: (version: number, seal: string) => Promise<unknown>) => {
    // A row that cannot be read gives no right, whatever its seal.
    if (row.columns === null || rows.isSealed(row)) return
    const mark = rows.next(row.table, row.columns, row.version ?? 0)
    await write(mark.version, mark.seal)
    sealed.push({ table: row.table, key: row.key, version: mark.version })
  }
  for (const user of users)
    await seal(user, (version, mark) =>
      session.execute(statements.sealUser, [BigInt(version), mark, user.key, user.row.changeId]),
    )
  for (const token of tokens)
    await seal(token, (version, mark) =>
      session.execute(statements.sealToken, [BigInt(version), mark, token.key, token.row.secretHash]),
    )
  return sealed
}

/** The step after the migration to sealed rows, through the connection of the schema role. */
export function sealStored(session: CassandraSession, seal: RowSeal): Promise<RowVersion[]> {
  const nowMs = () => Date.now()
  const rows = new SealedRows({ seal, versions: new RowVersions(nowMs), nowMs, report: () => {} })
  return sealRows({ session, rows })
}
