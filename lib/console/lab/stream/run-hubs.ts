/**
 * The runs whose journals are in memory: those of this instance, those with viewers, and the last of the others.
 *
 * Guarantees: a run that is not in memory is loaded once, however many viewers ask for it at the same time. `loadsAtOnce` runs are
 * loaded at the same time, and one for each sender: a journal is up to 10 MB, and a viewer who opens more finished runs than stay in
 * memory has each one loaded again.
 * Does not guarantee: that a load ends with its viewer. Others may wait for the same one.
 */
import { FairSlots } from '../../http/turns/fair-slots.ts'
import { FollowedRun } from './followed-run.ts'
import type { RunHub } from './run-hub.ts'

interface RunHubsDeps {
  /** Whether this instance runs it. */
  isHosted(run: string): boolean
  /** Reads a run and its whole journal. @throws HttpProblem not-found; StoreUnavailableError */
  load(run: string): Promise<RunHub>
}

/** Runs that have ended stay in memory for their next viewer, the last ones: 20 MB each at most. */
const keptHubs = 4
const loadsAtOnce = 2

export class RunHubs {
  readonly #deps: RunHubsDeps
  readonly #hubs = new Map<string, RunHub>()
  readonly #loading = new Map<string, Promise<RunHub>>()
  readonly #turns = new FairSlots({ atOnce: loadsAtOnce, ofOneSender: 1 })

  constructor(deps: RunHubsDeps) {
    this.#deps = deps
  }

  get(run: string): RunHub | undefined {
    return this.#hubs.get(run)
  }

  /** @param sender who asks @throws HttpProblem not-found; StoreUnavailableError */
  async open(run: string, sender: string): Promise<RunHub> {
    const known = this.#hubs.get(run)
    if (known?.source instanceof FollowedRun) await known.source.refresh()
    const hub = known ?? (await this.#load(run, sender))
    // Others may have been opened meanwhile, and this one dropped.
    return this.#keepFirst(run, hub)
  }

  /** As the last one. */
  keep(run: string, hub: RunHub): RunHub {
    this.#hubs.delete(run)
    this.#hubs.set(run, hub)
    this.prune(run)
    return hub
  }

  prune(except?: string): void {
    const idle = [...this.#hubs].filter(
      ([id, { viewers }]) => viewers === 0 && !this.#deps.isHosted(id) && id !== except,
    )
    for (const [id] of idle.slice(0, Math.max(0, idle.length - keptHubs))) this.#hubs.delete(id)
  }

  /** One that came meanwhile stays: it may have viewers. */
  #keepFirst(run: string, hub: RunHub): RunHub {
    return this.keep(run, this.#hubs.get(run) ?? hub)
  }

  #load(run: string, sender: string): Promise<RunHub> {
    const underWay = this.#loading.get(run)
    if (underWay !== undefined) return underWay
    const load = this.#turns
      .run(sender, () => this.#deps.load(run))
      .then((hub) => this.#keepFirst(run, hub))
      .finally(() => this.#loading.delete(run))
    this.#loading.set(run, load)
    return load
  }
}
