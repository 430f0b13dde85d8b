import { connect, levelsOf } from '../cql/run-statement.mjs'
import { Failure } from '../terminal/failure.mjs'
import { sayWaiting } from '../terminal/waiting.mjs'

/**
 * The audit log as `verify` reads it, at quorum.
 *
 * @param {Awaited<ReturnType<typeof import('./core.mjs').loadCore>>} core
 * @param {import('../cql/connection.mjs').Connection} connection
 */
export async function openSource({ verifyStatements, cellTimes, headCells, rowCells }, connection) {
  const client = await connect(connection, connection.keyspace)
  const found = await client.execute(
    'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?',
    [connection.keyspace, 'audit_log'],
    { prepare: true },
  )
  if (found.rowLength === 0) {
    await client.shutdown()
    throw new Failure(
      `There is no audit log in the keyspace ${connection.keyspace}: start the console once, or set CASSANDRA_KEYSPACE.`,
    )
  }
  const cql = verifyStatements(`"${connection.keyspace.replaceAll('"', '""')}".audit_log`)
  /** @param {string} statement @param {unknown[]} values */
  const read = async (statement, values) => {
    const options = { prepare: true, consistency: levelsOf(connection.serial).quorum }
    return (await sayWaiting('Cassandra', () => client.execute(statement, values, options))).rows
  }
  /** @param {Record<string, any>} row */
  const headOf = (row) => ({
    partition: row.bucket,
    seq: row.head_seq,
    hash: row.head_hash,
    next: row.head_next,
    previous: row.prev_bucket,
  })

  return {
    async buckets() {
      const all = []
      for (let rows = await read(cql.buckets, []); rows.length > 0; ) {
        all.push(...rows.map(headOf))
        rows = await read(cql.bucketsAfter, [all.at(-1)?.partition])
      }
      return all
    },
    /** @param {string} partition */
    async head(partition) {
      const [row] = await read(cql.head, [partition])
      return row === undefined ? null : { ...headOf(row), times: cellTimes(row, headCells) }
    },
    /** @param {string} partition @param {number} fromSeq */
    async *rows(partition, fromSeq) {
      for (let from = fromSeq; ; ) {
        const rows = await read(cql.rows, [partition, from])
        for (const row of rows) {
          const { seq, id, body, prev, hash } = row
          const times = cellTimes(row, rowCells)
          yield { seq, id: id ?? '', body: body ?? '', prev: prev ?? '', hash: hash ?? '', times }
        }
        const last = rows.at(-1)
        if (last === undefined) return
        from = last.seq + 1
      }
    },
    keyspace: connection.keyspace,
    close: () => client.shutdown(),
  }
}
