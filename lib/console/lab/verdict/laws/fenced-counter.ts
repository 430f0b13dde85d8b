/** The counter that is written with the token checked loses no addition, and takes none of an old token. */
import type { Entry, JournalEntry } from '../../../../contract/lab/journal.ts'
import type { LabVerdict } from '../../../../contract/lab/run.ts'
import { UnfencedAdditions } from '../../../../contract/lab/unfenced-additions.ts'
import { ofKind } from '../sent-statement.ts'

type Law = LabVerdict[number]

export function fencedCounter(entries: readonly JournalEntry[]): Law {
  const law = 'fenced-counter-right' as const
  const writes = ofKind(entries, 'wrote')
  const fenced = writes.filter(({ counter }) => counter === 'fenced')
  const wrong = wrongWrites(fenced)
  const last = writes.at(-1)
  if (last === undefined)
    return { law, finding: 'kept', sentence: 'No candidate has added to the counters yet.', marks: [] }
  const { fenced: count, meant } = last.total
  // A write whose outcome is unknown may count, though no answer said so.
  const unknown = fenced.filter(({ outcome }) => outcome === 'unknown').length
  const isRight = count >= meant && count <= meant + unknown
  const marks = [...wrong, ...(isRight ? [] : [last])].map(({ atMs, candidate }) => ({
    fromMs: atMs,
    toMs: atMs,
    candidates: [candidate],
  }))
  if (marks.length === 0) {
    const refused = fenced.filter(({ outcome }) => outcome === 'refused').length
    const also =
      refused === 0 ? '' : `; ${refused} with an old token ${refused === 1 ? 'was' : 'were'} refused`
    return {
      law,
      finding: 'kept',
      sentence: `The fenced counter is right: ${count} of ${meant}${also}.${unfencedText(entries)}`,
      marks,
    }
  }
  const [first] = wrong
  const why =
    first === undefined
      ? `it counts ${count}, and ${meant} were meant`
      : `it took an addition of ${first.candidate} that it had to refuse`
  return { law, finding: 'broken', sentence: `The fenced counter is wrong: ${why}.`, marks }
}

/** The other counter has no law to break: it is there to show what happens without a token. */
function unfencedText(entries: readonly JournalEntry[]): string {
  const additions = new UnfencedAdditions()
  let [applied, lost] = [0, 0]
  for (const entry of entries) {
    additions.take(entry)
    if (entry.kind !== 'wrote' || entry.counter !== 'unfenced') continue
    applied = additions.applied
    lost = applied - entry.total.unfenced
  }
  return lost > 0 ? ` The unfenced one lost ${lost} of ${applied} additions.` : ''
}

/**
 * Applied with a token that is smaller than one before, or over a value that another write had changed. The counter itself
 * says the order: each write adds one to what it read.
 */
function wrongWrites(fenced: readonly Entry<'wrote'>[]): Entry<'wrote'>[] {
  let greatest = -1n
  const bases = new Set<number>()
  return fenced
    .filter(({ outcome }) => outcome === 'written' || outcome === 'lost-update')
    .toSorted((a, b) => a.before - b.before)
    .filter(({ token, outcome, before }) => {
      const isWrong = outcome === 'lost-update' || BigInt(token) < greatest || bases.has(before)
      if (BigInt(token) > greatest) greatest = BigInt(token)
      bases.add(before)
      return isWrong
    })
}
