/**
 * What a candidate does while it believes to lead: twice a second it reads both counters, thinks for a moment, and writes both.
 *
 * Whether it still believes is asked before each step, and by the candidate: `believes` looks at the lease’s deadline, or, with the
 * deadline check off, does not. Between the last question and the write lies the thinking, and that is where a pause does its harm.
 */
import type { Executor } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import type { CandidateTime } from '../faults/candidate-time.ts'
import type { RunJournal } from '../journal/run-journal.ts'
import type { CounterName, Counters } from './counters.ts'

const everyMs = 500
const thinksMs = 150

interface AdditionsDeps {
  readonly candidate: string
  readonly executor: Executor
  readonly time: CandidateTime
  readonly journal: RunJournal
  readonly counters: Counters
  /** The fencing token, as it was when the candidate began to lead. */
  readonly token: bigint
  believes(): boolean
  readonly signal: AbortSignal
}

/** Adds until the candidate does not believe any longer, or the outcome of a fenced write is unknown. Never rejects. */
export async function addWhileLeading(deps: AdditionsDeps): Promise<void> {
  const { executor, time, counters, token, believes, signal } = deps
  const fenced = counters.fencedTable(executor, time, time).guard(token)
  const key = { run: counters.run, counter: 'fenced' }
  let isClaimed = false
  while (believes() && !signal.aborted) {
    try {
      if (!isClaimed) {
        const claim = await fenced.update(key, {})
        if (claim.kind === 'refused') return
        isClaimed = true
      }
      const before = await counters.read(executor)
      if (!believes()) return
      await time.sleep(thinksMs, signal)
      if (!believes() || signal.aborted) return
      const wrote = (counter: CounterName) => noted(deps, counter, before[counter])
      const writing = [
        wrote('fenced')(async () => (await fenced.update(key, { value: before.fenced + 1 })).kind),
        wrote('unfenced')(async () =>
          (await counters.writeUnfenced(executor, before.unfenced + 1)) ? 'written' : 'lost-update',
        ),
      ]
      const outcomes = await Promise.all(writing.map((each) => each.outcome))
      for (const { note } of writing) note()
      // This guard writes the row no more; see `FencedGuard`.
      if (outcomes[0] === 'unknown') return
    } catch (thrown) {
      if (!isLeaseholdError(thrown)) throw thrown
      if (thrown.code === 'outcome-unknown' || thrown.code === 'closed') return
    }
    await time.sleep(everyMs - thinksMs, signal)
  }
}

type Outcome = 'written' | 'refused' | 'lost-update' | 'unknown'

/** Runs a write; its entry is noted when both have ended, so that both totals are those of the same moment. */
const noted =
  ({ candidate, journal, counters, token }: AdditionsDeps, counter: CounterName, before: number) =>
  (write: () => Promise<Outcome>) => {
    let ended: Outcome = 'unknown'
    const outcome = write().then(
      (kind) => {
        ended = kind
        return kind
      },
      (thrown) => {
        if (!isLeaseholdError(thrown)) throw thrown
        return 'unknown' as const
      },
    )
    return {
      outcome,
      note: () =>
        journal.note({
          kind: 'wrote',
          candidate,
          counter,
          token: String(token),
          before,
          outcome: ended,
          total: counters.totals,
        }),
    }
  }
