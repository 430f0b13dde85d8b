import type { StatementPurpose } from '../../../lib/contract/lab/journal.ts'

/** The read before an addition, of both counters. */
export const readsCounters =
  'Reads both counters at SERIAL. The leader adds one to each value, and writes both back.'

/** What each statement is for, in a sentence. */
export const purposeWords: Record<StatementPurpose, string> = {
  acquire:
    'Acquire: writes owner and value with a TTL, but only if the row has no owner. One of all such tries is applied.',
  renew: 'Renew: writes every column again with a new TTL, but only if the owner is still this one.',
  release: 'Release: deletes the row, but only if the owner is still this one.',
  break:
    'Break: puts a mark in the owner’s place, so that nothing can acquire the name before the old deadline is past.',
  kill: 'Kill: deletes the row of the owner that was seen. The owner is not asked.',
  read: 'Read at SERIAL: finishes every conditional write under way first, so that its answer is certain.',
  hint: 'Hint: one node’s opinion, cheap and perhaps old. It only decides when to try; it is never believed.',
  term: 'Term: counts the tenures of this group.',
  queue: 'Queue: a ticket of fair mode. The candidates try in the order of their tickets.',
  'resign-request': 'Resign request: what ask writes, and what a leader reads beside each renewal.',
  'fenced-counter':
    'Fenced counter: writes the value and the leader’s token, but only if the token in the row, fence, is not greater.',
  'unfenced-counter':
    'Unfenced counter: writes the value that was read, plus one. Nothing checks who writes.',
  bakery: 'Bakery: a plain read or write at QUORUM, without a condition.',
  other: 'A statement beside the protocol.',
}
