/** What every process of a run has: a clock, a session, and faults that begin and end. Candidates, customers of the bakery, the plain client. */
import type { ExecutedRows, Executor, Statement } from 'leasehold/cassandra'
import type { Clock, Timer } from 'leasehold/time'
import type { LabFault } from '../../../contract/lab/journal.ts'
import { CandidateTime } from '../faults/candidate-time.ts'
import { FaultyExecutor } from '../faults/faulty-executor.ts'
import type { RunJournal } from '../journal/run-journal.ts'

export interface ParticipantDeps {
  /** `c1` to `c8`, or `plain`. */
  readonly id: string
  readonly session: Executor
  readonly journal: RunJournal
  /** Of the lab. */
  readonly clock: Clock
  readonly timer: Timer
  /** What no candidate should throw. */
  failed(error: unknown): void
}

export class Participant {
  readonly id: string
  readonly time: CandidateTime
  readonly executor: FaultyExecutor
  readonly #deps: ParticipantDeps

  readonly #effects: Readonly<Record<LabFault, (on: boolean, ms: number) => void>> = {
    crashed: (on) => on && this.time.crash(),
    paused: (on) => (on ? this.time.pause() : this.time.resume()),
    cut: (on) => this.executor.cut(on),
    delayed: (on, ms) => this.executor.delay(on ? ms : 0),
    'hold-next': (on) => this.executor.holdNext(on),
    'swallow-next': (on) => this.executor.swallowNext(on),
    skewed: (on, ms) => this.skew(on ? ms : 0),
  }

  constructor(
    deps: ParticipantDeps,
    onAnswer?: (statement: Statement, params: unknown[], executed: ExecutedRows) => void,
  ) {
    this.#deps = deps
    this.id = deps.id
    this.time = new CandidateTime(deps.clock, deps.timer)
    this.executor = new FaultyExecutor({
      session: deps.session,
      by: deps.id,
      journal: deps.journal,
      time: this.time,
      timer: deps.timer,
      onAnswer,
      onSwallowed: () => this.#note('swallow-next', false, null),
    })
  }

  protected get journal(): RunJournal {
    return this.#deps.journal
  }

  protected failed(error: unknown): void {
    this.#deps.failed(error)
  }

  protected closing(ms: number): Promise<void> {
    return this.#deps.timer.sleep(ms)
  }

  /** @param ms of `delayed` and `skewed` */
  fault(fault: LabFault, on: boolean, ms: number): void {
    if (this.time.hasCrashed && fault !== 'hold-next') return
    this.#note(fault, on, fault === 'delayed' || fault === 'skewed' ? ms : null)
    this.#effects[fault](on, ms)
  }

  protected skew(ms: number): void {
    this.time.skew(ms)
  }

  /** Ends it: nothing of it runs after this. */
  async end(): Promise<void> {
    this.time.crash()
  }

  #note(fault: LabFault, on: boolean, ms: number | null): void {
    this.journal.note({ kind: 'fault', candidate: this.id, fault, on, ms })
  }
}
