/** One run: clients work while faults come and go; then all is quiet, and the history is complete. */
import { CassandraLeaseStore, CassandraSequenceStore, connect } from '../lib/leasehold/cassandra/index.ts'
import { LeaseProtocol } from '../lib/leasehold/lease/index.ts'
import { ByHand, campaign, countUp, keep, pause, type Stage } from '../lib/leasehold/test/faults/clients.ts'
import { seeded } from '../lib/leasehold/test/faults/faulty-node.ts'
import { nowMs, Recorder } from '../lib/leasehold/test/faults/recorder.ts'
import { carryOut } from './faults/carry-out.ts'
import { type FaultKind, planWithin } from './faults/plan.ts'
import { NodeProxies } from './faults/proxies.ts'
import { HistoryFile } from './history/history-file.ts'
import type { Machine } from './machine.ts'
import { apiBackend, libraryBackend } from './workload/backends.ts'
import { releaseByForce } from './workload/forced-releases.ts'
import { OperatorClient } from './workload/operator.ts'

export { reportOn } from './report.ts'

interface RunOptions {
  readonly machine: Machine
  readonly seed: number
  readonly minutes: number
  readonly kinds: readonly FaultKind[]
  readonly maxClockSkewMs: number
  /** Where the history is written. */
  readonly path: string
  readonly signal: AbortSignal
  report(text: string): void
}

const pace = {
  handSeconds: [8, 7],
  keptSeconds: 30,
  keptMs: 45_000,
  leadMs: 5_000,
  releases: 0.6,
  patience: 3,
} as const
const librarySessions = 2
const handsOf = { library: 3, api: 2 }

/** Carries a run out. @throws when it is interrupted, or something other than a fault fails */
export async function run(options: RunOptions): Promise<void> {
  const { machine, seed, minutes, kinds, maxClockSkewMs, path, signal, report } = options
  const { nodes, keyspace } = machine
  const file = new HistoryFile(path)
  const closing: (() => Promise<void>)[] = []
  const stopping = new AbortController()
  const sleep = async (ms: number) => {
    const untilMs = nowMs() + ms
    while (nowMs() < untilMs && !signal.aborted) await pause(Math.min(100, untilMs - nowMs()))
    signal.throwIfAborted()
  }
  let recorder: Recorder | undefined
  try {
    file.write({ fact: 'run', of: { format: 1, seed, minutes, kinds, maxClockSkewMs, beganMs: nowMs() } })
    const proxies = await NodeProxies.listen(machine, {
      arrives: (statement) => recorder?.arrives(statement),
      // One that a node gave up may have reached another one, which finishes it later.
      answered: (statement, failed) => {
        if (!failed) recorder?.answered(statement)
      },
    })
    closing.push(() => proxies.close())
    const { contactPoints } = proxies
    for (const instance of machine.consoles.keys()) {
      report(`console ${instance + 1} starts`)
      await machine.startConsole(instance, contactPoints)
    }
    const session = async (points: string[]) => {
      const opened = await connect({ contactPoints: points, localDataCenter: 'datacenter1', keyspace })
      closing.push(() => opened.close())
      return opened
    }
    const observer = await session(nodes.map(({ host, port }) => `${host}:${port}`))
    recorder = new Recorder(new LeaseProtocol({ store: new CassandraLeaseStore(observer) }), file.write)
    const observed = recorder

    const operators = machine.consoles.map(({ url }, i) => new OperatorClient(i, url, machine.admin))
    for (const operator of operators) await operator.signIn()
    const backends = []
    for (let i = 0; i < librarySessions; i++)
      backends.push({
        door: `library-${i}`,
        hands: handsOf.library,
        of: libraryBackend(await session(contactPoints), maxClockSkewMs),
      })
    for (const [i, { url }] of machine.consoles.entries()) {
      const token = await (operators[i] as OperatorClient).token(`door-${i}`)
      const of = apiBackend(url, token, { maxClockSkewMs, paxosVariant: observer.paxosVariant })
      backends.push({ door: `api-${i}`, hands: handsOf.api, of })
    }
    const named = (what: string, count: number) => Array.from({ length: count }, (_, i) => `${what}/${i}`)
    const stage: Stage = {
      recorder: observed,
      random: seeded(seed + 1),
      stop: stopping.signal,
      names: {
        byHand: named('hand', 12),
        kept: named('kept', 8),
        groups: named('group', 2),
        sequences: named('sequence', 3),
      },
      holders: new Map(),
      pace,
    }
    const rarely: Stage = { ...stage, pace: { ...pace, patience: 12 } }
    const clients = [
      ...backends.flatMap(({ door, hands, of }) => [
        ...Array.from({ length: hands }, (_, i) => new ByHand(stage, `${door}/hand-${i}`, of.leases).run()),
        ...Array.from({ length: 2 }, (_, i) => keep(stage, `${door}/kept-${i}`, of.leases)),
        countUp(stage, `${door}/counter`, of),
        campaign(stage, `${door}/candidate`, of),
      ]),
      new ByHand(rarely, 'library-0/killer', (backends[0] as (typeof backends)[0]).of.leases).kill(),
      ...operators.map((operator, i) =>
        releaseByForce(stage, `api-${i}/operator`, operator, (of) => file.write({ fact: 'release', of })),
      ),
      (async () => {
        while (!stage.stop.aborted)
          for (const name of [...stage.names.byHand, ...stage.names.kept]) {
            await observed.look(name)
            await pause(25)
          }
      })(),
    ]
    const all = Promise.all(clients)
    const untilMs = nowMs() + minutes * 60_000
    const faults = (async () => {
      const plan = kinds.length === 0 ? [] : planWithin(seed, kinds, () => untilMs - nowMs())
      for (const fault of plan) {
        await sleep(fault.afterMs)
        report(`${fault.kind} of ${fault.kind === 'console' ? 'console' : 'node'} ${fault.target + 1}`)
        const done = await carryOut({ machine, proxies, sleep }, fault)
        file.write({ fact: 'fault', of: done })
        report(`${fault.kind} is over after ${((done.untilMs - done.fromMs) / 1000).toFixed(1)} s`)
      }
      await sleep(untilMs - nowMs())
    })()
    // A client that fails ends the run at once.
    await Promise.race([faults, all.then(() => faults)])
    report('the clients stop')
    file.write({ fact: 'stop', of: { atMs: nowMs() } })
    stopping.abort()
    await all

    report('what is under way ends')
    const patientUntilMs = nowMs() + 40_000
    while (proxies.underWay > 0 && nowMs() < patientUntilMs) await sleep(100)
    await sleep(2_000)
    for (let i = 0; i < 2; i++)
      for (const name of [...stage.names.byHand, ...stage.names.kept]) await observed.look(name)
    const sequences = new CassandraSequenceStore(observer)
    for (const sequence of stage.names.sequences)
      file.write({ fact: 'next-free', of: { sequence, next: (await sequences.read(sequence)) ?? 0n } })
    await (operators[0] as OperatorClient).signIn()
    for (const of of await (operators[0] as OperatorClient).audit()) file.write({ fact: 'audit', of })
  } finally {
    stopping.abort()
    for (const of of recorder?.unanswered ?? []) file.write({ fact: 'arrival', of })
    for (const close of closing.reverse()) await close()
    file.close()
  }
}
