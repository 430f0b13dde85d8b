/** Clients of the public API that do at random what programs do, from a seed. Each runs until `stop` aborts. */
import {
  CassandraLeaseStore,
  CassandraSequenceStore,
  type CassandraSession,
  CassandraTermStore,
} from '../../cassandra/index.ts'
import { Election, StoredTerms } from '../../election/index.ts'
import {
  type Lease,
  type LeaseLostError,
  LeaseProtocol,
  type LeaseProtocolOptions,
  Leases,
  type Tenure,
} from '../../lease/index.ts'
import { Operator } from '../../operator/index.ts'
import { Sequence } from '../../sequence/index.ts'
import type { Report } from '../../testing/laws/history.ts'
import { nowMs, type Recorder } from './recorder.ts'

export interface Stage {
  readonly recorder: Recorder
  readonly random: () => number
  readonly stop: AbortSignal
  readonly names: { byHand: string[]; kept: string[]; groups: string[]; sequences: string[] }
  /** The client that last acquired a name: a kill may aim at it. */
  readonly holders: Map<string, { owner: string; ttlSeconds: number }>
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
/** How long a lost answer is pursued here: several of a hasty session's time-outs. */
const settleMs = 10_000
const options = (session: CassandraSession) => ({ ...patient(session), settleMs })
/** With the library's own patience. */
export const patient = (session: CassandraSession) => ({
  store: new CassandraLeaseStore(session),
  maxClockSkewMs: 100,
})

/** A session that has lost its connections has new ones after a second. */
const noConnectionMs = 500

const pick = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
const deadlineMs = ({ deadline }: Tenure) => deadline.from.monotonicMs + deadline.afterMs

/** Tenures by hand: acquired, renewed with and without another value, released or left to expire. */
export class ByHand {
  readonly #stage: Stage
  readonly #client: string
  readonly #leases: LeaseProtocol

  constructor(
    stage: Stage,
    client: string,
    session: CassandraSession,
    leases: LeaseProtocolOptions = options(session),
  ) {
    this.#stage = stage
    this.#client = client
    this.#leases = new LeaseProtocol(leases)
  }

  async run(): Promise<void> {
    const { random, stop, names } = this.#stage
    while (!stop.aborted) {
      let tenure = await this.acquire(pick(random, names.byHand), 3 + Math.floor(6 * random()))
      if (tenure === undefined) {
        await pause(150 * random())
        continue
      }
      for (let left = Math.floor(4 * random()); left > 0 && tenure !== undefined; left--) {
        await pause(250 * random())
        tenure = await this.renew(tenure, random() < 0.5)
      }
      await pause(100 * random())
      if (tenure !== undefined && random() < 0.9) await this.release(tenure)
    }
  }

  async acquire(name: string, ttlSeconds: number): Promise<Tenure | undefined> {
    const { recorder, holders } = this.#stage
    const mark = recorder.mark('a')
    const asked = {
      mark,
      client: this.#client,
      kind: 'acquire',
      name,
      owner: null,
      ttlSeconds,
      value: mark,
    } as const
    let tenure: Tenure | undefined
    const report = await recorder.ask(asked, async () => {
      const outcome = await this.#leases.tryAcquire(name, { ttlSeconds, value: mark })
      if (outcome.kind === 'held') return { report: outcome }
      tenure = outcome.tenure
      const { owner, token } = tenure
      holders.set(name, { owner, ttlSeconds })
      return { owner, report: { kind: 'acquired', token: token ?? 0n, deadlineMs: deadlineMs(tenure) } }
    })
    if (report.kind === 'store-unavailable') await pause(noConnectionMs)
    return tenure
  }

  /** @returns the tenure as it is now; undefined: it is lost */
  async renew(tenure: Tenure, change: boolean): Promise<Tenure | undefined> {
    const { recorder } = this.#stage
    const mark = recorder.mark('r')
    const value = change ? mark : tenure.value
    const { name, owner, ttlSeconds } = tenure
    let next: Tenure | undefined = tenure
    await recorder.ask(
      { mark, client: this.#client, kind: 'renew', name, owner, ttlSeconds, value },
      async () => {
        const outcome = await this.#leases.renew(tenure, { value })
        next = outcome.kind === 'renewed' ? outcome.tenure : undefined
        return {
          report:
            outcome.kind === 'renewed'
              ? { kind: 'renewed', deadlineMs: deadlineMs(outcome.tenure) }
              : outcome,
        }
      },
    )
    return next
  }

  async release({ name, owner, ttlSeconds }: Pick<Tenure, 'name' | 'owner' | 'ttlSeconds'>): Promise<Report> {
    const { recorder } = this.#stage
    const asked = { client: this.#client, kind: 'release', name, owner, ttlSeconds, value: null } as const
    return recorder.ask({ mark: recorder.mark('d'), ...asked }, async () => ({
      report: await this.#leases.release({ name, owner }),
    }))
  }

  /** Kills, now and then, the owner that was last reported as the holder of a name. */
  async kill(): Promise<void> {
    const { recorder, random, stop, names, holders } = this.#stage
    while (!stop.aborted) {
      await pause(300 + 600 * random())
      const name = pick(random, [...names.byHand, ...names.kept])
      const planned = holders.get(name)
      if (planned === undefined) continue
      const asked = { client: this.#client, kind: 'kill', name, ...planned, value: null } as const
      await recorder.ask({ mark: recorder.mark('k'), ...asked }, async () => {
        const outcome = await new Operator(this.#leases).kill({ name, owner: planned.owner })
        switch (outcome.kind) {
          case 'released':
            return { report: { kind: 'killed' } }
          case 'unknown':
            return { report: { kind: 'kill-unknown' } }
          case 'holder-changed':
            return { report: { kind: 'holder-changed', owner: outcome.owner } }
          default:
            return { report: { kind: outcome.kind } }
        }
      })
    }
  }
}

/** Leases that are kept alive: what their holder may rely on is sampled, as a program does that looks at `held`. */
export async function keep(stage: Stage, client: string, session: CassandraSession): Promise<void> {
  const { recorder, random, stop, names, holders } = stage
  const leases = new Leases(options(session))
  const ttlSeconds = 6
  while (!stop.aborted) {
    const name = pick(random, names.kept)
    const mark = recorder.mark('a')
    let lease: Lease | undefined
    await recorder.ask(
      { mark, client, kind: 'acquire', name, owner: null, ttlSeconds, value: mark },
      async () => {
        const outcome = await leases.tryAcquire(name, { ttlSeconds, value: mark })
        if (outcome.kind === 'held') return { report: outcome }
        lease = outcome.lease
        const { owner, token, deadlineMs } = lease
        holders.set(name, { owner, ttlSeconds })
        watchLoss(recorder, client, lease)
        return { owner, report: { kind: 'acquired', token, deadlineMs } }
      },
    )
    if (lease === undefined) await pause(200 * random())
    else await hold(stage, client, lease)
  }
  await leases.close()
}

function watchLoss(recorder: Recorder, client: string, lease: Lease): void {
  const { name, owner, ttlSeconds, signal } = lease
  signal.addEventListener('abort', () => {
    const { reason, holder } = signal.reason as LeaseLostError
    if (reason === 'released') return
    const at = { calledMs: nowMs(), returnedMs: nowMs() }
    const report = { kind: 'lost', why: reason, owner: holder } as const
    const facts = { client, kind: 'loss', name, owner, ttlSeconds, value: null } as const
    recorder.tell({ mark: recorder.mark('l'), ...facts, ...at, report })
  })
}

async function hold({ recorder, random }: Stage, client: string, lease: Lease): Promise<void> {
  const { name, owner, ttlSeconds } = lease
  const facts = { client, name, owner, ttlSeconds }
  let [sampledMs, told] = [nowMs(), lease.deadlineMs]
  const untilMs = sampledMs + 5_000 * random()
  while (lease.held && nowMs() < untilMs) {
    await pause(100 + 100 * random())
    if (!lease.held) break
    if (random() < 0.15) {
      const mark = recorder.mark('r')
      await recorder.ask({ mark, ...facts, kind: 'renew', value: mark }, async () => {
        await lease.update(mark)
        return { report: { kind: 'renewed', deadlineMs: lease.deadlineMs } }
      })
    } else if (lease.deadlineMs > told) {
      const report = { kind: 'renewed', deadlineMs: lease.deadlineMs } as const
      const at = { calledMs: sampledMs, returnedMs: nowMs() }
      recorder.tell({ mark: recorder.mark('s'), ...facts, kind: 'renew', value: lease.value, ...at, report })
    }
    ;[sampledMs, told] = [nowMs(), lease.deadlineMs]
  }
  await recorder.ask({ mark: recorder.mark('d'), ...facts, kind: 'release', value: null }, async () => ({
    report: await lease.release(),
  }))
}

/** Numbers, one by one and in blocks. */
export async function countUp(stage: Stage, client: string, session: CassandraSession): Promise<void> {
  const { recorder, random, stop, names } = stage
  const store = new CassandraSequenceStore(session)
  const sequences = names.sequences.map((name) => ({
    name,
    of: new Sequence({ store, name, settleMs, blockSize: 3 }),
  }))
  while (!stop.aborted) {
    const { name, of } = pick(random, sequences)
    const calledMs = nowMs()
    const single = random() < 0.5
    const given = await recorder.count(async () => {
      if (!single) return of.nextBlock(1 + Math.floor(20 * random()))
      const number = await of.next()
      return { first: number, last: number }
    })
    if (given !== undefined)
      recorder.numbers.push({ sequence: name, client, ...given, single, calledMs, returnedMs: nowMs() })
    await pause(300 * random())
  }
}

/** Terms of elections: campaigns, leads for a moment, resigns. */
export async function campaign(stage: Stage, client: string, session: CassandraSession): Promise<void> {
  const { recorder, random, stop, names } = stage
  const leases = new Leases(options(session))
  const terms = new StoredTerms({ store: new CassandraTermStore(session), settleMs })
  while (!stop.aborted) {
    const group = pick(random, names.groups)
    const election = new Election({ leases, group, terms })
    const leadership = await recorder.count(() =>
      election.campaign({ value: client, ttlSeconds: 6, waitMs: 2_000 }),
    )
    if (leadership === undefined) continue
    if (leadership.held) recorder.terms.push({ group, term: leadership.term ?? 0n, token: leadership.token })
    await pause(200 * random())
    await recorder.count(() => leadership.resign())
  }
  await leases.close()
}
