import { timesOf } from './cell-times.ts'

export const rowCells = ['id', 'body', 'prev', 'hash']
export const headCells = ['head_seq', 'head_hash', 'head_bytes', 'head_next', 'prev_bucket']

/**
 * The CQL that reads whole chains, for the console and for `npm run audit` alike; at quorum. Besides this and
 * audit-statements.ts nothing touches the table.
 */
export function verifyStatements(table: string) {
  const heads = 'bucket, head_seq, head_hash, head_next, prev_bucket'
  return {
    // Page by page in token order; one partition a chain and day. Few at a time: another client may have put megabytes into each.
    buckets: `SELECT DISTINCT ${heads} FROM ${table} LIMIT 10`,
    bucketsAfter: `SELECT DISTINCT ${heads} FROM ${table} WHERE token(bucket) > token(?) LIMIT 10`,
    head: `SELECT DISTINCT ${heads}, ${timesOf(headCells)} FROM ${table} WHERE bucket = ?`,
    rows: `SELECT seq, id, body, prev, hash, ${timesOf(rowCells)} FROM ${table} WHERE bucket = ? AND seq >= ? LIMIT 500`,
  }
}
