/**
 * Whether a client seems to write the table without conditions.
 *
 * The version of a row that was written under Paxos is a ballot: a time by some coordinator's clock, or just after the ballot
 * before it. A version that is ahead of all clocks, or from before this protocol existed, was given by a client: `USING
 * TIMESTAMP`, or a client's own clock. A plain write that is dated now looks like a conditional one.
 */
import type { WrittenRow } from '../../cassandra/index.ts'
import { type Judgement, ok, unknown, warn } from '../finding.ts'

/** What a ballot may be ahead of the clock that reads it, beside the skew of clocks. In milliseconds. */
const slackMs = 1_000
/** Cassandra has had conditional writes since 2013. */
const earliestMicros = BigInt(Date.UTC(2013, 0, 1)) * 1_000n
const namedMax = 3

export function checkPlainWrites(rows: readonly WrittenRow[] | null, maxClockSkewMs: number): Judgement {
  if (rows === null)
    return unknown(
      'The rows could not be read, or the table has no owner column, whose writetime would tell.',
      'GRANT SELECT on the table to the role that reads, if it lacks it. If a quorum of the nodes did not answer, run the doctor again once it does.',
    )
  const suspects = rows.filter(({ writtenMicros, nodeMs }) => {
    if (writtenMicros === null) return false
    const aheadMs = Number(writtenMicros / 1_000n) - nodeMs
    return aheadMs > maxClockSkewMs + slackMs || writtenMicros < earliestMicros
  })
  if (suspects.length === 0)
    return ok(
      `The versions of ${rows.length} ${rows.length === 1 ? 'row' : 'rows'} show no sign of a write without IF.`,
    )
  const names = suspects.slice(0, namedMax).map(({ name }) => JSON.stringify(name))
  const more = suspects.length > namedMax ? `, and ${suspects.length - namedMax} more` : ''
  return warn(
    `A client seems to write without conditions: the version of ${names.join(', ')}${more} is not a time that a coordinator gave. Until such a version is past, conditional writes on the row answer applied and have no effect.`,
    'Find the client: every write of a lease table needs an IF. Or a node’s clock was ahead: see the check of clocks.',
  )
}
