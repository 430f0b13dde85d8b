/** Clients of the public API that do at random what programs do, from a seed. Each runs until `stop` aborts. */
import {
  CassandraLeaseStore,
  CassandraSequenceStore,
  type CassandraSession,
  CassandraTermStore,
} from '../../cassandra/index.ts'
import { Election, StoredTerms, type Terms } from '../../election/index.ts'
import {
  type Lease,
  type LeaseLostError,
  LeaseProtocol,
  type LeaseProtocolOptions,
  Leases,
  type Tenure,
} from '../../lease/index.ts'
import { Operator } from '../../operator/index.ts'
import { type Block, Sequence } from '../../sequence/index.ts'
import type { Report } from '../../testing/laws/history.ts'
import { testKeptTtlSeconds } from '../node-session.ts'
import { nowMs, type Recorder } from './recorder.ts'

export interface Stage {
  readonly recorder: Recorder
  readonly random: () => number
  readonly stop: AbortSignal
  readonly names: { byHand: string[]; kept: string[]; groups: string[]; sequences: string[] }
  /** The owner and the TTL of the last acquisition of a name: a kill may aim at it. */
  readonly holders: Map<string, { owner: string; ttlSeconds: number }>
  readonly pace?: Pace | undefined
  /** Whether tenures by hand call again what was not sent. Left out: they go on. */
  readonly insists?: boolean | undefined
}

/** How long clients hold and pause. */
interface Pace {
  /** The TTL of tenures by hand: the least, and how much longer. */
  readonly handSeconds: readonly [least: number, more: number]
  /** The TTL of leases that are kept alive, and of leaders. */
  readonly keptSeconds: number
  /** How long a lease is kept at most. */
  readonly keptMs: number
  /** How long a leader leads at most. */
  readonly leadMs: number
  /** The share of tenures by hand that are released; the others expire. */
  readonly releases: number
  /** Pauses are so many times as long as those of the quickest clients. */
  readonly patience: number
}

const maxClockSkewMs = 100
const quickest: Pace = {
  handSeconds: [3, 6],
  keptSeconds: testKeptTtlSeconds(maxClockSkewMs),
  keptMs: 5_000,
  leadMs: 200,
  releases: 0.9,
  patience: 1,
}

/** Where a client's leases, numbers and terms are: in Cassandra, or behind an API. */
export interface Backend {
  readonly leases: LeaseProtocolOptions
  readonly terms: Terms
  sequence(name: string): { next(): Promise<bigint>; nextBlock(count: number): Promise<Block> }
}

/** That of a hasty session, whose lost answers are pursued for several of its time-outs. */
export function backendOf(session: CassandraSession): Backend {
  const store = new CassandraSequenceStore(session)
  return {
    leases: { ...patient(session), settleMs },
    terms: new StoredTerms({ store: new CassandraTermStore(session), settleMs }),
    sequence: (name) => new Sequence({ store, name, settleMs, blockSize: 3 }),
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const settleMs = 10_000
/** With the library's own patience. */
export const patient = (session: CassandraSession) => ({
  store: new CassandraLeaseStore(session),
  maxClockSkewMs,
})

/** A session that has lost its connections has new ones after a second. */
const noConnectionMs = 500

const pick = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
const deadlineMs = ({ deadline }: Tenure) => deadline.from.monotonicMs + deadline.afterMs

/** What a busy machine did not send in time has changed nothing. */
export const wasNotSent = (report: Report): boolean =>
  report.kind === 'store-unavailable' && (report.words ?? '').includes('The write was not sent')

/** Tenures by hand: acquired, renewed with and without another value, released or left to expire. */
export class ByHand {
  readonly #stage: Stage
  readonly #client: string
  readonly #leases: LeaseProtocol
  readonly #pace: Pace

  constructor(stage: Stage, client: string, leases: LeaseProtocolOptions) {
    this.#stage = stage
    this.#pace = stage.pace ?? quickest
    this.#client = client
    this.#leases = new LeaseProtocol(leases)
  }

  async run(): Promise<void> {
    const { random, stop, names } = this.#stage
    const { handSeconds, patience, releases } = this.#pace
    const [least, more] = handSeconds
    while (!stop.aborted) {
      let tenure = await this.acquire(pick(random, names.byHand), least + Math.floor(more * random()))
      if (tenure === undefined) {
        await pause(150 * patience * random())
        continue
      }
      for (let left = Math.floor(4 * random()); left > 0 && tenure !== undefined; left--) {
        await pause(250 * patience * random())
        tenure = await this.renew(tenure, random() < 0.5)
      }
      await pause(100 * patience * random())
      if (tenure !== undefined && random() < releases) await this.release(tenure)
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
    return this.#insists(report) ? this.acquire(name, ttlSeconds) : tenure
  }

  /** @returns the tenure as it is now; undefined: it is lost */
  async renew(tenure: Tenure, change: boolean): Promise<Tenure | undefined> {
    const { recorder } = this.#stage
    const mark = recorder.mark('r')
    const value = change ? mark : tenure.value
    const { name, owner, ttlSeconds } = tenure
    let next: Tenure | undefined = tenure
    const report = await recorder.ask(
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
    return this.#insists(report) ? this.renew(tenure, change) : next
  }

  async release(tenure: Pick<Tenure, 'name' | 'owner' | 'ttlSeconds'>): Promise<Report> {
    const { recorder } = this.#stage
    const { name, owner, ttlSeconds } = tenure
    const asked = { client: this.#client, kind: 'release', name, owner, ttlSeconds, value: null } as const
    const report = await recorder.ask({ mark: recorder.mark('d'), ...asked }, async () => ({
      report: await this.#leases.release({ name, owner }),
    }))
    return this.#insists(report) ? this.release(tenure) : report
  }

  #insists(report: Report): boolean {
    const { insists = false, stop } = this.#stage
    return insists && wasNotSent(report) && !stop.aborted
  }

  /** Kills, now and then, the owner that was last reported as the holder of a name. */
  async kill(): Promise<void> {
    const { recorder, random, stop, names, holders } = this.#stage
    while (!stop.aborted) {
      await pause((300 + 600 * random()) * this.#pace.patience)
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
export async function keep(stage: Stage, client: string, options: LeaseProtocolOptions): Promise<void> {
  const { recorder, random, stop, names, holders, pace = quickest } = stage
  const leases = new Leases(options)
  const ttlSeconds = pace.keptSeconds
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
    if (lease === undefined) await pause(200 * pace.patience * random())
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

async function hold(
  { recorder, random, stop, pace = quickest }: Stage,
  client: string,
  lease: Lease,
): Promise<void> {
  const { name, owner, ttlSeconds } = lease
  const facts = { client, name, owner, ttlSeconds }
  let [sampledMs, told] = [nowMs(), lease.deadlineMs]
  const untilMs = sampledMs + pace.keptMs * random()
  while (lease.held && nowMs() < untilMs && !stop.aborted) {
    await pause((100 + 100 * random()) * pace.patience)
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
export async function countUp(stage: Stage, client: string, { sequence }: Backend): Promise<void> {
  const { recorder, random, stop, names, pace = quickest } = stage
  const sequences = names.sequences.map((name) => ({ name, of: sequence(name) }))
  while (!stop.aborted) {
    const { name, of } = pick(random, sequences)
    const calledMs = nowMs()
    const single = random() < 0.5
    const given = await recorder.count({ client, kind: 'numbers', name }, async () => {
      if (!single) return of.nextBlock(1 + Math.floor(20 * random()))
      const number = await of.next()
      return { first: number, last: number }
    })
    if (given !== undefined)
      recorder.give({ sequence: name, client, ...given, single, calledMs, returnedMs: nowMs() })
    await pause(300 * pace.patience * random())
  }
}

/** Terms of elections: campaigns, leads for a moment, resigns. */
export async function campaign(stage: Stage, client: string, { leases: options, terms }: Backend) {
  const { recorder, random, stop, names, pace = quickest } = stage
  const leases = new Leases(options)
  while (!stop.aborted) {
    const group = pick(random, names.groups)
    const election = new Election({ leases, group, terms })
    const asked = { client, name: group } as const
    const leadership = await recorder.count({ ...asked, kind: 'campaign' }, () =>
      election.campaign({ value: client, ttlSeconds: pace.keptSeconds, waitMs: 2_000 }),
    )
    if (leadership === undefined) continue
    const { held, term, token } = leadership
    if (held) recorder.begin({ group, term: term ?? 0n, token })
    await pause(pace.leadMs * random())
    await recorder.count({ ...asked, kind: 'resign' }, () => leadership.resign())
  }
  await leases.close()
}
