/**
 * Conditional writes that are handed to the socket soon, or never.
 *
 * Between a call and its write the driver may wait: until a node has prepared the statement, which it may be silent about for 12 s; until a
 * new connection has answered `USE`; behind what a node does not read. A caller who counts from the call would take a write for over that
 * has only just left.
 *
 * 1. The gate is open for `withinMs` from the call. The driver encodes a request just before it writes it to the socket, and asks for
 *    `fetchSize` then: this question passes through the gate, each time that the request is sent.
 * 2. Once the gate is shut, the request is not written, and the caller gets StoreUnavailableError at once. What the driver waits for goes
 *    on, for the next call.
 *
 * Does not guarantee: a time for what the socket itself holds. A node that reads nothing, and reads on later, gets the last requests
 * that were written to it before its buffers were full.
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

/**
 * The options of one execution, with the gate that it passes. A getter that each object defined for itself would give it a hidden class
 * of its own, and each look at it in the driver would be a slow one.
 */
class GatedOptions {
  readonly gate: SendGate
  readonly executionProfile: cassandra.ExecutionProfile
  readonly prepare = true
  readonly isIdempotent: boolean | undefined
  readonly consistency: number | undefined
  readonly serialConsistency: number | undefined
  readonly readTimeout: number | undefined
  readonly retry: cassandra.policies.retry.RetryPolicy | undefined
  readonly host: cassandra.Host | undefined
  readonly #fetchSize: number | undefined

  constructor(gate: SendGate, client: cassandra.Client, options: cassandra.QueryOptions) {
    this.gate = gate
    this.executionProfile = profileOf(client)
    this.isIdempotent = options.isIdempotent
    this.consistency = options.consistency
    this.serialConsistency = options.serialConsistency
    this.readTimeout = options.readTimeout
    this.retry = options.retry
    this.host = options.host
    this.#fetchSize = options.fetchSize
  }

  /** @throws StoreUnavailableError when it is too late to send the write */
  get fetchSize(): number | undefined {
    if (!this.gate.passes()) throw neverSent()
    return this.#fetchSize
  }
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

  /** The options of an execution by `client` that passes this gate. @param options without paging: a conditional write has one page */
  guard(options: cassandra.QueryOptions, client: cassandra.Client): cassandra.QueryOptions {
    // The driver takes undefined for left out; its types do not.
    return new GatedOptions(this, client, options) as cassandra.QueryOptions
  }

  /** Whether it is too late to send the write. */
  get isShut(): boolean {
    if (!this.#isShut) this.#isShut = elapsedMs(this.#opened, this.#clock.now()) >= this.#withinMs
    return this.#isShut
  }

  /** Whether the write may be sent now. It is sent then. */
  passes(): boolean {
    if (this.isShut) return false
    this.#isSent = true
    return true
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
    'The write was not sent: Cassandra took nothing in time. A node may be silent; try again.',
  )

/** Has the statement prepared, and sends nothing. Never throws: its first use prepares what this could not. */
export async function prepareAhead(client: cassandra.Client, cql: string): Promise<void> {
  try {
    await client.execute(cql, [], new SendGate(0).guard({}, client))
  } catch {
    // The gate refuses it, or its preparation failed.
  }
}

/** Asks the client's own policy, as long as the gate is open. A shut one needs no node. */
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
    const options = executionOptions?.getRawQueryOptions()
    if (options instanceof GatedOptions && options.gate.isShut)
      (callback as (error: Error) => void)(neverSent())
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
