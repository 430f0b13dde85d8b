/**
 * Conditional writes that leave this process soon, or never.
 *
 * The driver prepares a statement at its first use, and sends it when it is prepared. A node that is asked to prepare may be silent for
 * 12 s. A caller who counts from the call would take a write for over that has only just left.
 *
 * 1. The gate is open for `withinMs` from the call. The driver asks for the nodes to send to at the moment when it sends; this
 *    question passes through the gate.
 * 2. Once the gate is shut, the driver gets no node, and the caller gets StoreUnavailableError at once: the write is never sent.
 *    The preparation goes on, for the next call.
 *
 * Does not guarantee: a time for the second send of a write, when a node has answered that it does not have the statement prepared.
 * The driver then prepares it on that node, and sends it again.
 */
import cassandra from 'cassandra-driver'
import { StoreUnavailableError } from '../../../lease/index.ts'
import {
  type Clock,
  elapsedMs,
  type Moment,
  systemClock,
  systemTimer,
  type Timer,
} from '../../../time/index.ts'

const { ExecutionProfile } = cassandra
const { LoadBalancingPolicy } = cassandra.policies.loadBalancing

/** Some hundred times what it takes to prepare a statement, in milliseconds, and little beside what a write may take. */
const defaultWithinMs = 1_000

/** The options of one execution, with the gate that it passes. */
interface GatedOptions extends cassandra.QueryOptions {
  gate?: SendGate | undefined
}

export class SendGate {
  readonly #withinMs: number
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #opened: Moment
  #isSent = false
  #isShut = false

  constructor(withinMs = defaultWithinMs, clock: Clock = systemClock, timer: Timer = systemTimer) {
    this.#withinMs = withinMs
    this.#clock = clock
    this.#timer = timer
    this.#opened = clock.now()
  }

  /** What `execute` needs. @param client the one that executes */
  options(client: cassandra.Client): Pick<GatedOptions, 'executionProfile' | 'gate'> {
    return { executionProfile: profileOf(client), gate: this }
  }

  /** Whether the write may be sent now. */
  passes(): boolean {
    if (elapsedMs(this.#opened, this.#clock.now()) >= this.#withinMs) this.#isShut = true
    if (!this.#isShut) this.#isSent = true
    return !this.#isShut
  }

  /** @throws StoreUnavailableError as soon as it is certain that the write is not sent; what `execute` throws */
  send<T>(execute: () => Promise<T>): Promise<T> {
    return new Promise((done, fail) => {
      const cancel = this.#timer.after(this.#withinMs, () => {
        if (this.#isSent) return
        // What was said to be never sent is not sent, whatever the clocks say by then.
        this.#isShut = true
        fail(neverSent())
      })
      void execute().then(done, fail).finally(cancel)
    })
  }
}

const neverSent = () =>
  new StoreUnavailableError(
    'The write was not sent: Cassandra did not prepare it in time. A node may be silent; try again.',
  )

/** Has the statement prepared, and sends nothing. Never throws: its first use prepares what this could not. */
export async function prepareAhead(client: cassandra.Client, cql: string): Promise<void> {
  try {
    const options: GatedOptions = { prepare: true, ...new SendGate(0).options(client) }
    await client.execute(cql, [], options)
  } catch {
    // The gate refuses it, or its preparation failed.
  }
}

/** Asks the client's own policy, as long as the gate is open. */
class GatedPolicy extends LoadBalancingPolicy {
  readonly #policy: cassandra.policies.loadBalancing.LoadBalancingPolicy

  constructor(policy: cassandra.policies.loadBalancing.LoadBalancingPolicy) {
    super()
    this.#policy = policy
  }

  override newQueryPlan(
    keyspace: string,
    executionOptions: cassandra.ExecutionOptions,
    callback: (error: Error, iterator: Iterator<cassandra.Host>) => void,
  ): void {
    // The driver gives no options when it asks for a node to prepare on.
    const { gate } = (executionOptions?.getRawQueryOptions() ?? {}) as GatedOptions
    if (gate?.passes() === false) (callback as (error: Error) => void)(neverSent())
    else this.#policy.newQueryPlan(keyspace, executionOptions, callback)
  }

  override getDistance(host: cassandra.Host): cassandra.types.distance {
    return this.#policy.getDistance(host)
  }
}

const profiles = new WeakMap<cassandra.Client, cassandra.ExecutionProfile>()

/** One a client: the driver's profiles belong to a client. */
function profileOf(client: cassandra.Client): cassandra.ExecutionProfile {
  const known = profiles.get(client)
  if (known !== undefined) return known
  // The driver's types lack `options`.
  const { options } = client as unknown as { options?: cassandra.ClientOptions }
  const own = options?.profiles?.find(({ name }) => name === 'default')?.loadBalancing
  const policy = own ?? options?.policies?.loadBalancing
  const profile = new ExecutionProfile(
    'leasehold',
    policy === undefined ? {} : { loadBalancing: new GatedPolicy(policy) },
  )
  profiles.set(client, profile)
  return profile
}
