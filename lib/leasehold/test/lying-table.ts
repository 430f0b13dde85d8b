/**
 * A table of a real Cassandra 5 that grants a lease twice. A column that was dropped with a time in the future, and added
 * again, hides every cell that is written before that time: a conditional write answers *applied*, and its condition never
 * sees what it wrote.
 */
interface Cql {
  execute(cql: string): Promise<unknown>
}

async function dropAndAdd(client: Cql, table: string, droppedAtMicros: number): Promise<void> {
  await client.execute(`ALTER TABLE ${table} DROP owner USING TIMESTAMP ${droppedAtMicros}`)
  await client.execute(`ALTER TABLE ${table} ADD owner text`)
}

/** @param table quoted, with its keyspace; it has a column `owner` */
export const grantTwice = (client: Cql, table: string): Promise<void> =>
  dropAndAdd(client, table, (Date.now() + 3_600_000) * 1_000)

export const grantTwiceNoMore = (client: Cql, table: string): Promise<void> => dropAndAdd(client, table, 1)
