/**
 * Runs whose instance died, or could not remove their rows: what they left in Cassandra is removed, and then their end is written.
 *
 * Guarantees: a run that an instance runs is left alone. It has a place from before its row is written until after its end is, and
 * places are read after the rows: a run without a place and without an end is dead.
 * Does not guarantee: when. A dead instance's places expire after 15 seconds, and are looked at again a minute later.
 */
import type { Executor } from 'leasehold/cassandra'
import { isLeaseholdError, type LeaseStore } from 'leasehold/lease'
import type { Clock, Timer } from 'leasehold/time'
import type { Log } from '../../http/log/log.ts'
import type { LabStore, RunEnd, StoredRun } from '../journal/lab-store.ts'
import { removeRows } from './remove-rows.ts'

interface LeftOverDeps {
  readonly session: Executor
  storeOver(executor: Executor): LeaseStore
  readonly store: Pick<LabStore, 'unended' | 'entries' | 'writeRun'>
  readonly clock: Clock
  readonly timer: Timer
  readonly log: Log
  /** The ids of the runs that instances run at this moment. */
  alive(): Promise<Set<string>>
  /** Whether this instance runs it, or has not written its end yet. */
  isHosted(run: string): boolean
}

/** Longer than a place lives without its instance. */
const soonMs = 20_000
const everyMs = 60_000

export class LeftOvers {
  readonly #deps: LeftOverDeps
  #sweeping: Promise<boolean> | undefined
  #watching: Promise<void> | undefined
  /** Another sweep has to follow the one under way: something may have been left after that one looked. */
  #isAsked = false

  constructor(deps: LeftOverDeps) {
    this.#deps = deps
  }

  /** Sweeps, and again for as long as something may be left, or other instances have runs: one of them may die. Never rejects. */
  watch(signal: AbortSignal): Promise<void> {
    this.#isAsked = true
    this.#watching ??= this.#watch(signal)
    return this.#watching
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { timer } = this.#deps
    for (let waitMs = soonMs; !signal.aborted; waitMs = everyMs) {
      // Another's sweep may have looked before there was something to find, and so may this one if it is asked meanwhile.
      this.#isAsked = this.#sweeping !== undefined
      if (!(await this.sweep()) && !this.#isAsked) break
      await timer.sleep(waitMs, signal)
    }
    // Here, and not once the promise has settled: a request between the two would join a watch that is over.
    this.#watching = undefined
  }

  /** @returns whether something may be left, or other instances have runs, or that is not known. Never rejects. */
  sweep(): Promise<boolean> {
    this.#sweeping ??= this.#sweep()
      .catch((error) => {
        if (!isLeaseholdError(error, 'store-unavailable') && !isLeaseholdError(error, 'closed'))
          this.#deps.log.warn({ error }, 'what runs of the lab have left was not removed')
        return !isLeaseholdError(error, 'closed')
      })
      .finally(() => {
        this.#sweeping = undefined
      })
    return this.#sweeping
  }

  async #sweep(): Promise<boolean> {
    const { store, clock, alive, isHosted } = this.#deps
    const open = (await store.unended(clock.now().wallMs)).filter(({ facts }) => !isHosted(facts.run))
    if (open.length === 0) return false
    const living = await alive()
    let isOver = true
    for (const run of open) if (living.has(run.facts.run) || !(await this.#end(run))) isOver = false
    return !isOver
  }

  /** @returns false: rows of it may be left */
  async #end({ facts }: StoredRun): Promise<boolean> {
    const { session, storeOver, store } = this.#deps
    if (!(await removeRows({ session, storeOver, facts }))) return false
    const last = (await store.entries(facts.run, 0)).at(-1)
    const ended: RunEnd = { endedAtMs: facts.startedAtMs + Math.ceil(last?.atMs ?? 0), step: null }
    await store.writeRun({ facts, ended })
    return true
  }
}
