/** Ask, break and kill in the lab: the library’s operator functions on the run’s own lease, at once, with an `act` in the journal. */
import { isLeaseholdError, isQuarantine, type LeaseProtocol } from 'leasehold/lease'
import { Operator } from 'leasehold/operator'
import type { Entry } from '../../../contract/lab/journal.ts'
import type { RunJournal } from '../journal/run-journal.ts'
import { breakId, isOfRun } from './run-owner.ts'

type Act = Entry<'act'>

interface ForcedReleaseDeps {
  /** The run’s lease. The lab forces no other one. */
  readonly name: string
  readonly run: string
  readonly leases: LeaseProtocol
  readonly journal: RunJournal
  /** Cassandra’s time as time of the run. */
  runTime(serverMs: number): number | null
}

/** Acts on the present holder, if it is one of this run: else `not-held`. Rejects with what is no outcome. */
export async function forceRelease(deps: ForcedReleaseDeps, mode: Act['mode'], by: string): Promise<void> {
  const { name, run, leases, journal } = deps
  const note = (owner: string | null, outcome: Act['outcome'], safeAtMs: number | null = null) =>
    journal.note({ kind: 'act', mode, by, owner, outcome, safeAtMs })
  let owner: string | null = null
  try {
    owner = (await leases.read(name))?.owner ?? null
    const mayAct = owner !== null && isOfRun(owner, run) && (mode === 'kill' || !isQuarantine(owner))
    if (owner === null || !mayAct) return note(owner, 'not-held')
    const { outcome, safeAtMs } = await act(deps, mode, { name, owner }, by)
    note(owner, outcome, safeAtMs)
  } catch (thrown) {
    if (!isLeaseholdError(thrown)) throw thrown
    note(owner, 'unknown')
  }
}

async function act(
  { leases, run, runTime }: ForcedReleaseDeps,
  mode: Act['mode'],
  planned: { name: string; owner: string },
  by: string,
): Promise<{ outcome: Act['outcome']; safeAtMs: number | null }> {
  const operator = new Operator(leases)
  const id = breakId(run)
  switch (mode) {
    case 'ask':
      await operator.ask(planned, { id, requestedBy: by, reason: 'In the lab.' })
      return { outcome: 'requested', safeAtMs: null }
    case 'break': {
      const outcome = await operator.break(planned, { id, value: 'broken in the lab' })
      if (outcome.kind === 'broken') return { outcome: 'released', safeAtMs: runTime(outcome.safeAtMs) }
      return { outcome: outcome.kind === 'holder-changed' ? outcome.kind : 'unknown', safeAtMs: null }
    }
    case 'kill': {
      const { kind } = await operator.kill(planned)
      return { outcome: kind === 'released' || kind === 'holder-changed' ? kind : 'unknown', safeAtMs: null }
    }
  }
}
