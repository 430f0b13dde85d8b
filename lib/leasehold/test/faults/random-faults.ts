/**
 * The library under many faults, on a real Cassandra: what it reports is the truth, or it says *unknown*.
 *
 * Clients on four sessions, each behind a proxy of its own, do at random what programs do; proxies hold statements and
 * answers back, lose them, break connections, and put the node's own time-outs in the place of answers. What is true
 * of such a history, and how it is known, stands in `testing/laws/laws.ts`; that each law finds its lie, in its test.
 * Sessions give up after 1.5 s instead of 20 s, so that a thousand faults fit into two minutes: faults are shorter
 * and longer than that, and some hold a statement for 25 s. `LEASEHOLD_FAULTS_SEED` repeats a schedule of faults, not the
 * machine's own timing.
 */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import { CassandraLeaseStore, CassandraSequenceStore, type CassandraSession } from '../../cassandra/index.ts'
import { LeaseProtocol } from '../../lease/index.ts'
import type { StatementProxy } from '../../testing/index.ts'
import { grouped } from '../../testing/laws/history.ts'
import { falsehoods, ghosts } from '../../testing/laws/laws.ts'
import { ByHand, backendOf, campaign, countUp, keep, pause, type Stage } from './clients.ts'
import { directSession, hastySessionBehind, proxyTo, RandomFaults, seeded } from './faulty-node.ts'
import { nowMs, Recorder } from './recorder.ts'
import { summary } from './summary.ts'

const seed = Number(process.env.LEASEHOLD_FAULTS_SEED ?? randomInt(2 ** 31))
const run = `faults/${seed.toString(36)}/${process.pid}`
const named = (what: string, count: number) => Array.from({ length: count }, (_, i) => `${run}/${what}/${i}`)

let observer: CassandraSession
let recorder: Recorder
const faults = new RandomFaults(seeded(seed))
const proxies: StatementProxy[] = []
const sessions: CassandraSession[] = []

beforeAll(async () => {
  observer = await directSession()
  recorder = new Recorder(new LeaseProtocol({ store: new CassandraLeaseStore(observer) }))
  // No faults while the sessions connect: they have met none of our statements then.
  for (let i = 0; i < 4; i++) {
    const proxy = await proxyTo({
      fault: (statement) => faults.next(statement),
      arrives: recorder.arrives,
      answered: recorder.answered,
    })
    proxies.push(proxy)
    sessions.push(await hastySessionBehind(proxy))
  }
})
afterAll(async () => {
  await Promise.all([...sessions, observer].map((session) => session?.close()))
  await Promise.all(proxies.map((proxy) => proxy.close()))
})

/** Now and then one of the proxies accepts no connection for a while. */
async function goAway(stage: Stage): Promise<void> {
  while (!stage.stop.aborted) {
    await pause(4_000 + 6_000 * stage.random())
    const proxy = proxies[Math.floor(proxies.length * stage.random())] as StatementProxy
    proxy.refuse()
    await pause(200 + 800 * stage.random())
    proxy.restore()
  }
}

/** Looks at every name, one after the other, all the time. */
async function lookAround({ stop, names }: Stage): Promise<void> {
  while (!stop.aborted)
    for (const name of [...names.byHand, ...names.kept]) {
      await recorder.look(name)
      await pause(5)
    }
}

/** For the body of a test. The files that call it say how long it may take. */
export async function reportsTheTruthUnder(wantedFaults: number): Promise<void> {
  const startedMs = nowMs()
  const stopping = new AbortController()
  const stage: Stage = {
    recorder,
    random: seeded(seed + 1),
    stop: stopping.signal,
    names: {
      byHand: named('hand', 60),
      kept: named('kept', 8),
      groups: named('group', 2),
      sequences: named('sequence', 4),
    },
    holders: new Map(),
  }
  const backends = sessions.map(backendOf)
  const hands = backends.flatMap(({ leases }, s) =>
    Array.from({ length: 10 }, (_, i) => new ByHand(stage, `hand-${s}-${i}`, leases)),
  )
  const clients = [
    ...hands.map((hand) => hand.run()),
    ...hands.slice(0, 2).map((hand) => hand.kill()),
    ...backends.flatMap((backend, s) => [
      keep(stage, `kept-${s}-0`, backend.leases),
      keep(stage, `kept-${s}-1`, backend.leases),
      countUp(stage, `counter-${s}`, backend),
      campaign(stage, `candidate-${s}`, backend),
    ]),
    goAway(stage),
    lookAround(stage),
  ]
  const all = Promise.all(clients)
  const ended = all.then(() => true)
  while (faults.total < wantedFaults && nowMs() - startedMs < 300_000) {
    // At the end nothing is held for 25 s any more: the end would have to wait for it.
    if (faults.total > 0.85 * wantedFaults) faults.longest = false
    await Promise.race([pause(100), ended])
  }
  stopping.abort()
  await all
  const ranMs = nowMs() - startedMs

  // The last holders: each name is acquired once more, through the same faults; every other one is released again.
  await Promise.all(
    stage.names.byHand.map(async (name, i) => {
      const hand = hands[i % hands.length] as ByHand
      for (let tries = 0; tries < 100; tries++) {
        const tenure = await hand.acquire(name, 120)
        if (tenure === undefined) await pause(300)
        else if (i % 2 === 0) return
        else {
          await hand.release(tenure)
          return
        }
      }
    }),
  )
  // Quiescence: whatever was held back has reached the node, and has been carried out.
  while (proxies.some((proxy) => proxy.underWay > 0)) await pause(100)
  await pause(2_000)
  for (let i = 0; i < 2; i++)
    for (const name of [...stage.names.byHand, ...stage.names.kept]) await recorder.look(name)
  const sequences = new CassandraSequenceStore(observer)
  for (const name of stage.names.sequences) recorder.nextFree.set(name, (await sequences.read(name)) ?? 0n)

  const wrong = falsehoods(recorder)
  const figures = summary(recorder, faults.counts)
  console.log(
    [
      `faults: seed ${seed}, ${(ranMs / 1000).toFixed(0)} s, ${((nowMs() - startedMs) / 1000).toFixed(0)} s with the end`,
      ...figures.lines,
      `  ghosts (late tries, shown after a release): ${ghosts(recorder)}`,
      `  wrong: ${wrong.length}`,
      ...[...grouped(wrong, ({ law }) => law)].map(
        ([law, of]) => `    ${of.length} × ${law}, for one: ${of[0]?.evidence}`,
      ),
    ].join('\n'),
  )
  expect(wrong.length).toBe(0)
  expect(recorder.others.errors).toEqual([])
  expect(faults.total).toBeGreaterThanOrEqual(wantedFaults)
  // On a busy machine more than the faults is late; the observer shows how much.
  expect(figures.unknownShare).toBeLessThanOrEqual(0.05 + figures.slowShare)
  // A history with few tenures, or with few that the observer saw, would prove nothing.
  expect(figures.tenures).toBeGreaterThan(0.3 * wantedFaults)
  expect(figures.tenuresSeen / figures.tenures).toBeGreaterThan(0.8)
}
