/** A run in figures, for the log. */

import { grouped } from '../../testing/laws/history.ts'
import { Tenures } from '../../testing/laws/tenures.ts'
import { HastySession } from './faulty-node.ts'
import type { Recorder } from './recorder.ts'

interface Summary {
  readonly lines: string[]
  readonly unknownShare: number
  /** Of the observer's reads, which meet no fault: those that took half a hasty session's limit, and longer. */
  readonly slowShare: number
  readonly tenures: number
  /** Those that the observer saw at least once while they could be relied on. */
  readonly tenuresSeen: number
}

export function summary(recorder: Recorder, faults: ReadonlyMap<string, number>): Summary {
  const { operations, sightings, numbers, terms, others, unread } = recorder
  const asked = operations.filter(({ kind, mark }) => kind !== 'loss' && !mark.startsWith('s'))
  const unknown =
    others.unknown +
    asked.filter(({ report }) => report.kind === 'outcome-unknown' || report.kind === 'kill-unknown').length
  // Those that were turned away at once, because the session had no connection, would only water the share down.
  const unavailable = asked.filter(({ report }) => report.kind === 'store-unavailable').length
  const total = asked.length + others.operations - unavailable
  const counted = [...faults].toSorted((a, b) => b[1] - a[1])
  const met = counted.reduce((sum, [, count]) => sum + count, 0)
  const reports = [...grouped(asked, ({ kind, report }) => `${kind} ${report.kind}`)]
    .map(([what, of]) => `${what} ${of.length}`)
    .toSorted()
  const tenures = new Tenures(operations).all
  const bySeen = grouped(sightings, ({ owner }) => owner)
  const tenuresSeen = tenures.filter(({ owner, fromMs, untilMs }) =>
    bySeen.get(owner)?.some(({ sentMs, answeredMs }) => sentMs >= fromMs && answeredMs <= untilMs),
  ).length
  const unknownShare = unknown / total
  const slow = sightings.filter(
    ({ sentMs, answeredMs }) => answeredMs - sentMs > HastySession.writeTimeoutMs / 2,
  )
  const slowShare = slow.length / sightings.length
  return {
    unknownShare,
    slowShare,
    tenures: tenures.length,
    tenuresSeen,
    lines: [
      `  ${met} faults: ${counted.map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
      `  ${total} operations, and ${unavailable} without a connection; of the former ${unknown} unknown (${(100 * unknownShare).toFixed(1)} %)`,
      `  reports: ${reports.join(', ')}; ${numbers.length} calls for numbers, ${terms.length} terms`,
      `  ${sightings.length} SERIAL reads by the observer (${unread} unanswered, ${(100 * slowShare).toFixed(1)} % slow); ${tenuresSeen} of ${tenures.length} tenures seen`,
    ],
  }
}
