/**
 * The runs of the lab: those of this instance, which it starts, bounds and ends, and those that it shows because Cassandra has what was
 * written of them.
 */
import { randomInt } from 'node:crypto'
import type { Executor } from 'leasehold/cassandra'
import { isLeaseholdError, type LeaseProtocol, type LeaseStore } from 'leasehold/lease'
import { type Clock, minKeptTtlSeconds, type Timer } from 'leasehold/time'
import { labBounds } from '../../contract/lab/lab-bounds.ts'
import { labLeaseName } from '../../contract/lab/lab-lease.ts'
import type { LabAct, LabRun as LabRunJson, NewLabRun } from '../../contract/lab/run.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { Log } from '../http/log/log.ts'
import { StreamTurns } from '../http/streams/stream-turns.ts'
import { LeftOvers } from './bounds/left-overs.ts'
import { type PlaceRefusal, Slots } from './bounds/slots.ts'
import { LabStore, type StoredRun } from './journal/lab-store.ts'
import { type RunFacts, runId, runJson } from './journal/run-facts.ts'
import { HostedRun } from './run/hosted-run.ts'
import { LabRun } from './run/lab-run.ts'
import { scenarios } from './scenarios/scenarios.ts'
import { FollowedRun } from './stream/followed-run.ts'
import { RunHub } from './stream/run-hub.ts'
import { RunHubs } from './stream/run-hubs.ts'
import type { RunSource, VerdictOf } from './stream/run-source.ts'

interface LabDeps {
  readonly session: Executor
  /** The protocol on the console’s own table. */
  readonly own: LeaseProtocol
  /** A store of that table, over a session with faults. */
  storeOver(executor: Executor): LeaseStore
  /** Why that table is not written, as a sentence. null: it is trusted. */
  distrust(): string | null
  readonly isEnabled: boolean
  readonly maxClockSkewMs: number
  readonly verdictOf: VerdictOf
  readonly clock: Clock
  readonly timer: Timer
  readonly log: Log
  /** Aborted when the process is about to end. */
  readonly closing: AbortSignal
}

const playground = { candidates: 3, ttlSeconds: 10 }
/** At the end of the process, in milliseconds. */
const endWithinMs = 3_000

const nothing = async (): Promise<void> => {}

const refusals: Record<PlaceRefusal, string> = {
  user: 'You have a run already. End it, or wait until it has ended.',
  full: `${labBounds.runsAtATime} runs are under way, which is as many as the lab takes at a time. Wait until one has ended.`,
}
const disabledText = 'The lab is switched off on this console: LEASEHOLD_LAB=enabled switches it on.'

export class Lab {
  readonly #deps: LabDeps
  readonly #turns: StreamTurns
  readonly #store: LabStore
  readonly #slots: Slots
  readonly #hosted = new Map<string, HostedRun>()
  readonly #hubs: RunHubs
  readonly #leftOvers: LeftOvers
  #ending: Promise<void> | undefined

  constructor(deps: LabDeps) {
    this.#deps = deps
    this.#turns = new StreamTurns(deps)
    this.#store = new LabStore(deps.session)
    this.#slots = new Slots(deps.own)
    this.#hubs = new RunHubs({
      isHosted: (run) => this.#hosted.has(run),
      load: (run) => this.#load(run),
    })
    const { session, storeOver, clock, timer, log } = deps
    this.#leftOvers = new LeftOvers({
      session,
      storeOver,
      clock,
      timer,
      log,
      store: this.#store,
      alive: () => this.#slots.alive(),
      isHosted: (run) => this.#hosted.has(run),
    })
    deps.closing.addEventListener('abort', () => void this.end(), { once: true })
  }

  /** Removes what runs have left whose instance died, or could not. Never rejects. */
  clean(): Promise<void> {
    return this.#leftOvers.watch(this.#deps.closing)
  }

  /** Newest first. `mayNotStart`: null, or why not, as a sentence. @throws StoreUnavailableError */
  async list(username: string): Promise<{ runs: LabRunJson[]; mayNotStart: string | null }> {
    const { clock, isEnabled } = this.#deps
    // Places after rows: a run has its place before its row.
    const newest = await this.#store.runs(clock.now().wallMs)
    const [alive, hasRun] = await Promise.all([
      this.#slots.alive(),
      isEnabled && this.#slots.isTakenBy(username),
    ])
    const stored = await this.#withAll(alive, newest)
    if (stored.some(({ facts, ended }) => ended === null && !alive.has(facts.run)))
      void this.#leftOvers.sweep()
    const runs = stored.map((run) => this.#jsonOf(run, alive.has(run.facts.run)))
    if (!isEnabled) return { runs, mayNotStart: disabledText }
    const isFull = alive.size >= labBounds.runsAtATime
    return { runs, mayNotStart: hasRun ? refusals.user : isFull ? refusals.full : null }
  }

  /**
   * @param waitsForViewer its story begins with its first viewer
   * @param announce called last, before the run begins; when it throws, or the console ends meanwhile, none begins
   * @throws HttpProblem lab-disabled, lab-full, bad-request; StoreUnavailableError
   */
  async start(
    asked: NewLabRun,
    username: string,
    { waitsForViewer = false, announce = nothing as (run: RunFacts) => Promise<unknown> } = {},
  ): Promise<LabRunJson> {
    const { clock, isEnabled, closing } = this.#deps
    if (!isEnabled) throw new HttpProblem('lab-disabled', disabledText)
    const ends = () => new HttpProblem('cassandra-unavailable', 'This console is shutting down. Try again.')
    if (closing.aborted) throw ends()
    const scenario = asked.scenario === undefined ? null : scenarios[asked.scenario]
    const ttlSeconds = this.#ttlSeconds(asked.ttlSeconds, scenario?.ttlSeconds ?? playground.ttlSeconds)
    const run = runId(clock.now().wallMs, fiveAtRandom())
    const place = await this.#slots.take(run, username)
    if (typeof place === 'string') throw new HttpProblem('lab-full', refusals[place])
    const facts: RunFacts = {
      run,
      scenario: asked.scenario ?? null,
      name: labLeaseName(run, scenario?.isBakery === true ? 'bakery' : 'leader'),
      ttlSeconds,
      maxClockSkewMs: this.#deps.maxClockSkewMs,
      fair: asked.fair ?? scenario?.fair ?? false,
      startedBy: username,
      startedAtMs: Math.floor(clock.now().wallMs),
    }
    const { session, storeOver, distrust, timer, log } = this.#deps
    const failed = (error: unknown) => this.#failed(run, error)
    try {
      await this.#store.writeRun({ facts, ended: null })
      await announce(facts)
      if (closing.aborted) throw ends()
    } catch (thrown) {
      await place.release()
      // The row may be there.
      void this.clean()
      throw thrown
    }
    const hosted = new HostedRun(new LabRun(facts, scenario, { session, storeOver, clock, timer, failed }), {
      place,
      store: this.#store,
      clock,
      timer,
      log,
      isWatchedElsewhere: () => this.#slots.isWatchedElsewhere(run),
      distrust,
      gone: (isFinished) => {
        this.#hosted.delete(run)
        this.#hubs.prune()
        if (!isFinished && !closing.aborted) void this.clean()
      },
    })
    this.#hosted.set(run, hosted)
    this.#hubs.keep(run, this.#hubOf(hosted))
    hosted.begin(asked.candidates ?? playground.candidates, { waitsForViewer })
    return hosted.json()
  }

  /** @param sender who asks @throws HttpProblem not-found; StoreUnavailableError */
  async open(run: string, sender = ''): Promise<RunHub> {
    this.#hosted.get(run)?.looked()
    return this.#hubs.open(run, sender)
  }

  /** @throws HttpProblem not-found, lab-elsewhere, lab-refused */
  async act(run: string, act: LabAct, username: string): Promise<void> {
    const refusal = (await this.#hostedRun(run, username)).act(act, username)
    if (refusal !== null) throw new HttpProblem('lab-refused', refusal)
    // A story that was paused or goes on notes nothing.
    if (act.act === 'story') this.#hubs.get(run)?.beat()
  }

  /**
   * Ends a run, and resolves when it is gone. One that had ended before stays as it is.
   * @param announce called before it ends; when it throws, the run goes on
   * @throws HttpProblem not-found, lab-elsewhere
   */
  async endRun(run: string, username = '', announce: () => Promise<unknown> = nothing): Promise<void> {
    const hosted = this.#hosted.get(run)
    if (hosted !== undefined) {
      await announce()
      return hosted.end('person')
    }
    const { source } = await this.open(run, username)
    if (!source.isComplete) throw elsewhere()
  }

  /** Ends the runs of this instance, within two seconds or so, and waits as long for what is to be written. */
  end(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  async #end(): Promise<void> {
    const ended = Promise.all(
      [...this.#hosted.values()].map(async (hosted) => {
        await hosted.end('restart')
        await hosted.written()
      }),
    )
    await Promise.race([ended, this.#deps.timer.sleep(endWithinMs)])
    await this.#slots.close()
  }

  async #hostedRun(run: string, username: string): Promise<HostedRun> {
    const hosted = this.#hosted.get(run)
    if (hosted !== undefined) return hosted
    const { source } = await this.open(run, username)
    if (source.isComplete) throw new HttpProblem('lab-refused', 'This run has ended. Start another one.')
    throw elsewhere()
  }

  /** Under Paxos v1 no lease can be kept alive with the TTL that most stories have. @throws HttpProblem bad-request */
  #ttlSeconds(asked: number | undefined, otherwise: number): number {
    const { maxClockSkewMs, session } = this.#deps
    const leastSeconds = minKeptTtlSeconds(maxClockSkewMs, session.paxosVariant)
    if (asked === undefined) return Math.max(otherwise, leastSeconds)
    if (asked < leastSeconds)
      throw new HttpProblem(
        'bad-request',
        `A TTL of ${asked} s is too short to be kept alive under Paxos ${session.paxosVariant}: ${leastSeconds} s or more are needed.`,
      )
    return asked
  }

  /** Of each day the store gives some runs: those that are under way are among them here. */
  async #withAll(ids: ReadonlySet<string>, runs: readonly StoredRun[]): Promise<StoredRun[]> {
    const known = new Set(runs.map(({ facts }) => facts.run))
    const missing = [...ids].filter((run) => !known.has(run))
    const read = await Promise.all(missing.map((run) => this.#store.run(run)))
    const all = [...runs, ...read.filter((run) => run !== null)]
    return all.sort((one, other) => other.facts.startedAtMs - one.facts.startedAtMs)
  }

  async #load(run: string): Promise<RunHub> {
    const stored = await this.#store.run(run)
    if (stored === null)
      throw new HttpProblem(
        'not-found',
        `There is no run ${run}. Journals are kept for ${labBounds.keptDays} days.`,
      )
    const { clock, timer } = this.#deps
    const followed = new FollowedRun(stored, {
      store: this.#store,
      clock,
      timer,
      isAlive: async (id) => (await this.#slots.alive()).has(id),
      tellWatched: (id, isWatched) => this.#slots.tellWatched(id, isWatched),
      failed: (error) => this.#failed(run, error),
    })
    await followed.refresh()
    return this.#hubOf(followed)
  }

  #hubOf(source: RunSource): RunHub {
    return new RunHub(source, { ...this.#deps, turns: this.#turns })
  }

  #jsonOf({ facts, ended }: StoredRun, isAlive: boolean): LabRunJson {
    const known = this.#hubs.get(facts.run)
    if (known !== undefined && (known.source.isComplete || this.#hosted.has(facts.run)))
      return known.source.json()
    const story = facts.scenario === null ? null : ({ state: 'playing', step: ended?.step ?? -1 } as const)
    if (isAlive) return runJson(facts, { endedAtMs: null, story })
    // Its instance died without a word: it has ended, at the latest when its time was over.
    const endedAtMs = ended?.endedAtMs ?? facts.startedAtMs + labBounds.runMs
    return runJson(facts, { endedAtMs, story: story && { ...story, state: 'ended' } })
  }

  #failed(run: string, error: unknown): void {
    if (isLeaseholdError(error, 'store-unavailable') || isLeaseholdError(error, 'closed')) return
    this.#deps.log.error({ run, error }, 'a run of the lab')
    void this.#hosted.get(run)?.end('failure', error instanceof Error ? error.message : String(error))
  }
}

const elsewhere = () =>
  new HttpProblem(
    'lab-elsewhere',
    'Another instance of the console runs this run, and only that one can act on it. Try again, or start a run of your own.',
  )

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const fiveAtRandom = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
