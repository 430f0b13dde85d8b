/**
 * The session of one candidate: it passes statements to the console’s session, notes each one and its answer in the journal, and
 * does to them what a network may do.
 *
 * `cut`: nothing that is sent arrives, and no answer reaches the candidate; each statement ends at its time-out. `delayed`: answers
 * reach it later. `hold-next`: the next conditional write on the lease waits here, beside those that were held back before it, and goes
 * to Cassandra when they are let go; the candidate’s time-out does not wait. `swallow-next`: the next conditional write on the lease is
 * carried out, and the connection breaks before its answer.
 *
 * Guarantees: every statement that reaches Cassandra is in the journal, reads apart whose answer is that of the same read before:
 * waiters send ten of those a second. The errors are those of a session that lost its connection, and say no more.
 */
import type { ExecutedRows, Executor, Statement } from 'leasehold/cassandra'
import { StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import type { Timer } from 'leasehold/time'
import type { StatementPurpose } from '../../../contract/lab/journal.ts'
import type { RunJournal } from '../journal/run-journal.ts'
import type { CandidateTime } from './candidate-time.ts'
import { answerOf, failureOf, isConditional, isRead, paramTexts, purposeOf } from './statement-text.ts'

interface FaultyExecutorDeps {
  readonly session: Executor
  /** The sender, as the journal names it. */
  readonly by: string
  readonly journal: RunJournal
  /** Of the candidate. */
  readonly time: CandidateTime
  /** Of the lab: time-outs and delays go on while the candidate is paused. */
  readonly timer: Timer
  /** Called with each answer that Cassandra gives, before it is noted. */
  readonly onAnswer?: ((statement: Statement, params: unknown[], executed: ExecutedRows) => void) | undefined
  /** Called when the answer that was to be lost is lost. A write that is held back is no such end: it can still be let go. */
  readonly onSwallowed?: (() => void) | undefined
}

interface Call {
  readonly statement: Statement
  readonly params: unknown[]
  readonly purpose: StatementPurpose
  number: number | null
  sentMs: number
  /** The candidate has an answer, or has given up. */
  isSettled: boolean
  /** @param differs the candidate gets it later than Cassandra gave it */
  answer(executed: ExecutedRows, differs: boolean): void
  /** @param differs Cassandra did not say so, or said so earlier */
  fail(thrown: unknown, differs: boolean): void
}

const onLease: readonly StatementPurpose[] = ['acquire', 'renew', 'release']

export class FaultyExecutor implements Executor {
  readonly keyspace: string
  readonly serial: Executor['serial']
  readonly paxosVariant: Executor['paxosVariant']
  readonly #deps: FaultyExecutorDeps
  readonly #lastFound = new Map<string, string | null>()
  #isCut = false
  #delayMs = 0
  #swallowsNext = false
  #holdsNext = false
  /** What lets each write go that is held back. */
  #held: (() => void)[] = []

  constructor(deps: FaultyExecutorDeps) {
    this.#deps = deps
    this.keyspace = deps.session.keyspace
    this.serial = deps.session.serial
    this.paxosVariant = deps.session.paxosVariant
  }

  cut(on: boolean): void {
    this.#isCut = on
  }

  /** @param ms 0: answers come as they come */
  delay(ms: number): void {
    this.#delayMs = ms
  }

  swallowNext(on: boolean): void {
    this.#swallowsNext = on
  }

  /** @param on false: what is held back is let go */
  holdNext(on: boolean): void {
    this.#holdsNext = on
    if (!on) for (const letGo of this.#held.splice(0)) letGo()
  }

  /** Lets go with its own what is held back of the process that had its id before, also what that one is still sending. */
  inheritHeld(before: FaultyExecutor): void {
    this.#held = before.#held
  }

  async execute(statement: Statement, params: unknown[]): Promise<ExecutedRows> {
    const { time, by, timer, journal } = this.#deps
    // A candidate that is paused sends nothing, and one that has crashed never will.
    await time.running()
    return new Promise((resolve, reject) => {
      const settle = (act: () => void, as: 'answer' | 'unknown' | 'unavailable', differs: boolean) => {
        if (call.isSettled) return
        call.isSettled = true
        cancel()
        const isLate = differs || !time.isRunning
        time.run(() => {
          if (isLate && call.number !== null) journal.note({ kind: 'delivered', statement: call.number, as })
          act()
        })
      }
      const call: Call = {
        statement,
        params,
        purpose: purposeOf(statement, by),
        number: null,
        sentMs: journal.nowMs,
        isSettled: false,
        answer: (executed, differs) => settle(() => resolve(executed), 'answer', differs),
        fail: (thrown, differs) =>
          settle(() => reject(thrown), failureOf(thrown) === 'unknown' ? 'unknown' : 'unavailable', differs),
      }
      const cancel = timer.after(statement.readTimeoutMs, () =>
        call.fail(lost(statement, 'No answer came in time.'), true),
      )
      this.#begin(call)
    })
  }

  #begin(call: Call): void {
    if (this.#isCut || !isQuiet(call)) this.#noteSent(call)
    if (this.#isCut) return
    if (this.#holdsNext && onLease.includes(call.purpose)) {
      this.#holdsNext = false
      this.#held.push(() => {
        this.#deps.journal.note({ kind: 'let-go', statement: call.number as number })
        this.#send(call)
      })
      return
    }
    this.#send(call)
  }

  #noteSent(call: Call): void {
    if (call.number !== null) return
    const { journal, by } = this.#deps
    call.number = journal.nextStatement()
    const { purpose, params, statement } = call
    journal.note({
      kind: 'sent',
      statement: call.number,
      by,
      purpose,
      cql: statement.cql,
      params: paramTexts(params),
    })
  }

  #send(call: Call): void {
    const { session } = this.#deps
    const { statement, params, purpose } = call
    session.execute(statement, params).then(
      (executed) => {
        this.#deps.onAnswer?.(statement, params, executed)
        this.#noteAnswer(call, answerOf(statement, executed))
        if (this.#isCut) return
        if (this.#swallowsNext && onLease.includes(purpose)) {
          this.#swallowsNext = false
          this.#deps.onSwallowed?.()
          return call.fail(lost(statement, 'The connection broke before the answer.'), true)
        }
        if (this.#delayMs === 0) return call.answer(executed, false)
        this.#later(() => call.answer(executed, true))
      },
      (thrown) => {
        this.#noteAnswer(call, { outcome: failureOf(thrown), found: null })
        if (this.#isCut) return
        if (this.#delayMs === 0) return call.fail(thrown, false)
        this.#later(() => call.fail(thrown, true))
      },
    )
  }

  /** What is on its way to the candidate is lost if its network is cut by then. */
  #later(arrive: () => void): void {
    this.#deps.timer.after(this.#delayMs, () => {
      if (!this.#isCut) arrive()
    })
  }

  #noteAnswer(call: Call, answered: ReturnType<typeof answerOf>): void {
    const { journal } = this.#deps
    if (call.number === null) {
      const { cql } = call.statement
      const isSame = this.#lastFound.has(cql) && this.#lastFound.get(cql) === answered.found
      this.#lastFound.set(cql, answered.found)
      if (isSame && answered.outcome === 'rows') return
      this.#noteSent(call)
    }
    const tookMs = journal.nowMs - call.sentMs
    journal.note({ kind: 'answered', statement: call.number as number, ...answered, tookMs })
  }
}

/** Reads that waiters repeat all the time: noted once their answer is another one than before. */
const isQuiet = ({ purpose, statement }: Call): boolean =>
  purpose === 'hint' || purpose === 'queue' || (purpose === 'bakery' && isRead(statement))

/** What a session throws whose connection gave no answer. */
function lost(statement: Statement, why: string): Error {
  if (isConditional(statement)) return new StatementUnknownError(why, 'never')
  return new StoreUnavailableError(why, { mayHaveHappened: !isRead(statement) })
}
