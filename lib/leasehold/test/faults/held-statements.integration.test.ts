/**
 * One statement held back for 25 s, longer than every limit of the server and than the client's own 20 s, while its
 * name is released and acquired again: what lands then must hit no other holder, and every report must have been true. And
 * one renewal that begins early and is applied late, when a second one was answered: the row expires sooner than that
 * one said, and no rival must have it before the holder's deadline.
 *
 * With the library's own time-outs. Each of release, renewal and acquisition twice: held while its client waits for an
 * answer; and behind a connection that broke, so that its client goes on at once. All run at the same time.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { CassandraLeaseStore, type CassandraSession } from '../../cassandra/index.ts'
import { LeaseProtocol, type Tenure } from '../../lease/index.ts'
import type { StatementFault } from '../../testing/index.ts'
import type { Arrival, Report } from '../../testing/laws/history.ts'
import { falsehoods } from '../../testing/laws/laws.ts'
import { ByHand, patient, pause, type Stage, wasNotSent } from './clients.ts'
import { arrivalOf, directSession, longestHoldMs, proxyTo, sessionBehind } from './faulty-node.ts'
import { nowMs, Recorder } from './recorder.ts'

let observer: CassandraSession
beforeAll(async () => {
  observer = await directSession()
})
afterAll(() => observer?.close())

const waits: StatementFault = { kind: 'hold-request', ms: longestHoldMs }
const breaks: StatementFault = { kind: 'cut-late', ms: longestHoldMs }

interface Scene {
  readonly name: string
  readonly recorder: Recorder
  /** The process whose statement is held back; its operations on the name, in a row or side by side. */
  readonly own: ByHand
  readonly rival: ByHand
  /** Resolves when a statement is held back. What is sent before may be held in its place. */
  held(): Promise<void>
  /** Resolves when the statement that was held back has landed, and has been carried out. */
  landed(): Promise<void>
}

/** A process behind a proxy that applies `fault` to its first statement of a kind, a rival past the proxy, and an observer. */
async function scene(kind: Arrival['kind'], fault: StatementFault, play: (scene: Scene) => Promise<void>) {
  const name = `held/${kind}/${fault.kind}/${randomBytes(6).toString('hex')}`
  const leases = new LeaseProtocol({ store: new CassandraLeaseStore(observer) })
  const recorder = new Recorder(leases)
  let [heldAtMs, arrivedAtMs] = [0, 0]
  const proxy = await proxyTo({
    fault: (statement) => {
      if (heldAtMs > 0 || arrivalOf(statement, 0)?.kind !== kind) return undefined
      heldAtMs = nowMs()
      return fault
    },
    arrives: (statement) => {
      recorder.arrives(statement)
      if (heldAtMs > 0 && nowMs() - heldAtMs > longestHoldMs - 100) arrivedAtMs ||= nowMs()
    },
    answered: recorder.answered,
  })
  const direct = await proxyTo({ arrives: recorder.arrives, answered: recorder.answered })
  const sessions = [await sessionBehind(proxy), await sessionBehind(direct)] as const
  const stop = new AbortController()
  const names = { byHand: [name], kept: [], groups: [], sequences: [] }
  const stage: Stage = {
    recorder,
    random: () => 0.5,
    stop: stop.signal,
    names,
    holders: new Map(),
    insists: true,
  }
  const looking = (async () => {
    for (; !stop.signal.aborted; await pause(100)) await recorder.look(name)
  })()
  const held = async () => {
    while (heldAtMs === 0) await pause(20)
  }
  const landed = async () => {
    while (arrivedAtMs === 0 || proxy.underWay > 0) await pause(50)
    await pause(500)
  }
  try {
    const own = new ByHand(stage, 'own', patient(sessions[0]))
    const rival = new ByHand(stage, 'rival', patient(sessions[1]))
    await play({ name, recorder, own, rival, held, landed })
  } finally {
    stop.abort()
    await looking
    await Promise.all(sessions.map((session) => session.close()))
    await Promise.all([proxy, direct].map((each) => each.close()))
  }
  return recorder
}

/** Without those of what a busy machine did not send: it was called again. */
const reports = ({ operations }: Recorder, kind: string): Report['kind'][] =>
  operations
    .filter((operation) => operation.kind === kind && !wasNotSent(operation.report))
    .map(({ report }) => report.kind)
const need = (tenure: Tenure | undefined): Tenure => {
  if (tenure === undefined) throw new Error('it was not acquired')
  return tenure
}
/** Who is shown at last; the reads of the observer are in order. */
const last = ({ sightings }: Recorder) => sightings.at(-1)?.owner

describe.concurrent('a statement that lands 25 s late', () => {
  it('a release: a later holder keeps its lease', async ({ expect }) => {
    // Its client waits: a second release is answered, and the same process acquires again.
    const waiting = scene('release', waits, async (the) => {
      const { name, recorder, own, rival, landed } = the
      const first = need(await own.acquire(name, 60))
      const held = own.release(first)
      await the.held()
      expect(await own.release(first)).toEqual({ kind: 'released', certain: true })
      const next = need(await own.acquire(name, 60))
      // Time for one more try is left, or not: by a millisecond.
      expect(['outcome-unknown', 'released']).toContain((await held).kind)
      await landed()
      await recorder.look(name)
      expect(last(recorder)).toBe(next.owner)
      expect(await rival.acquire(name, 60)).toBeUndefined()
    })
    // Its connection broke: it is tried again at once; the name is acquired again, released, and then a rival's.
    const broken = scene('release', breaks, async ({ name, recorder, own, rival, landed }) => {
      const first = need(await own.acquire(name, 60))
      expect(await own.release(first)).toMatchObject({ kind: 'released' })
      const second = need(await own.acquire(name, 60))
      expect(await own.release(second)).toEqual({ kind: 'released', certain: true })
      const next = need(await rival.acquire(name, 60))
      await landed()
      await recorder.look(name)
      expect(last(recorder)).toBe(next.owner)
      expect(await own.acquire(name, 60)).toBeUndefined()
    })
    for (const recorder of await Promise.all([waiting, broken])) expect(falsehoods(recorder)).toEqual([])
  })

  it('a renewal whose client waits: released and acquired again meanwhile, the next tenure keeps its value', async ({
    expect,
  }) => {
    const recorder = await scene('renew', waits, async (the) => {
      const { name, recorder, own, rival, landed } = the
      const first = need(await own.acquire(name, 60))
      const held = own.renew(first, true)
      await the.held()
      expect(await own.release(first)).toEqual({ kind: 'released', certain: true })
      const second = need(await own.acquire(name, 60))
      await own.release(second)
      const next = need(await rival.acquire(name, 60))
      await held
      await landed()
      await recorder.look(name)
      expect(recorder.sightings.at(-1)).toMatchObject({
        owner: next.owner,
        value: next.value,
        version: next.token,
      })
    })
    expect(['outcome-unknown', 'lost']).toEqual(expect.arrayContaining(reports(recorder, 'renew')))
    expect(falsehoods(recorder)).toEqual([])
  })

  it('a renewal whose connection broke: it brings back no older value, and shortens nothing', async ({
    expect,
  }) => {
    const recorder = await scene('renew', breaks, async ({ name, recorder, own, landed }) => {
      const first = need(await own.acquire(name, 60))
      const renewed = need(await own.renew(first, true))
      const again = need(await own.renew(renewed, true))
      await landed()
      await recorder.look(name)
      expect(recorder.sightings.at(-1)).toMatchObject({ owner: first.owner, value: again.value })
    })
    expect(reports(recorder, 'renew')).toEqual(['renewed', 'renewed'])
    expect(falsehoods(recorder)).toEqual([])
  })

  it('an acquisition whose client waits: acquired again, then by a rival, whose lease is not cut', async ({
    expect,
  }) => {
    const recorder = await scene('acquire', waits, async (the) => {
      const { name, recorder, own, rival, landed } = the
      const held = own.acquire(name, 60)
      await the.held()
      const anew = need(await own.acquire(name, 60))
      expect(await held).toBeUndefined()
      await own.release(anew)
      const next = need(await rival.acquire(name, 60))
      await landed()
      await recorder.look(name)
      expect(last(recorder)).toBe(next.owner)
    })
    expect(reports(recorder, 'acquire').toSorted()).toEqual(['acquired', 'acquired', 'outcome-unknown'])
    expect(falsehoods(recorder)).toEqual([])
  })

  it('an acquisition whose connection broke: the try that lands after its release is found, and released', async ({
    expect,
  }) => {
    const recorder = await scene('acquire', breaks, async ({ name, own, rival, landed }) => {
      const first = need(await own.acquire(name, 40))
      expect(await own.release(first)).toEqual({ kind: 'released', certain: true })
      const between = need(await rival.acquire(name, 30))
      await rival.release(between)
      await landed()
      const landedAtMs = nowMs()
      let next = await rival.acquire(name, 30)
      for (; next === undefined; next = await rival.acquire(name, 30)) await pause(100)
      // Long before its TTL of 40 s is over.
      expect(nowMs() - landedAtMs).toBeLessThan(20_000)
      expect(next.token).toBeGreaterThan(between.token ?? 0n)
      expect(await own.release(first)).toEqual({ kind: 'notHeld', owner: next.owner })
    })
    expect(falsehoods(recorder)).toEqual([])
  })
})

/** Waits for this part of a second, in milliseconds. */
const secondsPart = (ms: number) => pause((1_000 + ms - (Date.now() % 1_000)) % 1_000)

describe('a renewal that begins early', () => {
  it('and is applied 1.3 s late, behind its second try: no rival before the holder’s deadline', async ({
    expect,
  }) => {
    const fault = { kind: 'delayed', contendedMs: 1_300 } as const
    const play = () =>
      scene('renew', fault, async ({ name, own, rival }) => {
        const first = need(await own.acquire(name, 6))
        // With less than 3 s left it is given up after a second. The later in its second it begins, the sooner it expires.
        await pause(1_500)
        await secondsPart(900)
        await own.renew(first, false)
        while ((await rival.acquire(name, 6)) === undefined) await pause(10)
      })
    let recorder = await play()
    // A second is left for the renewal: a busy machine may miss the deadline. What was said of it must be true all the same.
    for (let tries = 1; tries < 5 && reports(recorder, 'renew').some((kind) => kind !== 'renewed'); tries++) {
      expect(falsehoods(recorder)).toEqual([])
      recorder = await play()
    }
    expect(recorder.arrivals.filter(({ kind }) => kind === 'renew').length).toBeGreaterThan(1)
    expect(reports(recorder, 'renew')).toEqual(['renewed'])
    expect(falsehoods(recorder)).toEqual([])
  })
})
