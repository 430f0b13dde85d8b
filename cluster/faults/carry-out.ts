/** Carries faults out, each to its end: afterwards everything runs again. */
import { nowMs } from '../../lib/leasehold/test/faults/recorder.ts'
import type { Machine } from '../machine.ts'
import type { FaultKind, PlannedFault } from './plan.ts'
import type { NodeProxies } from './proxies.ts'

/** A fault as it was. Times in milliseconds of the history's clock. */
export interface FaultDone extends PlannedFault {
  readonly fromMs: number
  readonly untilMs: number
  /** `quorum`: between these two there was none. */
  readonly noQuorumFromMs?: number | undefined
  readonly quorumBackMs?: number | undefined
}

interface Scene {
  readonly machine: Machine
  readonly proxies: NodeProxies
  /** Resolves after so many milliseconds. @throws when the run is interrupted */
  sleep(ms: number): Promise<void>
}

export const aheadSeconds = 2
const slowMs = 300
/** Between two nodes of a rolling restart. */
const betweenMs = 3_000

type Times = Pick<FaultDone, 'noQuorumFromMs' | 'quorumBackMs'>

const acts: Record<FaultKind, (scene: Scene, fault: PlannedFault) => Promise<Times | undefined>> = {
  async kill({ machine, sleep }, { target, lastsMs }) {
    await machine.killNode(target)
    await sleep(lastsMs)
    await machine.startNode(target)
    return undefined
  },
  async stop({ machine, sleep }, { target, lastsMs }) {
    machine.stopNode(target)
    try {
      await sleep(lastsMs)
    } finally {
      machine.continueNode(target)
    }
    return undefined
  },
  async restart({ machine, sleep }) {
    for (const node of machine.nodes.keys()) {
      if (node > 0) await sleep(betweenMs)
      await machine.endNode(node)
      await machine.startNode(node)
    }
    return undefined
  },
  async quorum({ machine, sleep }, { target, lastsMs }) {
    // The first node is the seed: with a ring delay of one second, another one does not start without it.
    const [first, second] = [(target + 1) % 3, (target + 2) % 3].sort() as [number, number]
    await Promise.all([machine.killNode(first), machine.killNode(second)])
    const noQuorumFromMs = nowMs()
    await sleep(lastsMs)
    await machine.startNode(first)
    const quorumBackMs = nowMs()
    await machine.startNode(second)
    return { noQuorumFromMs, quorumBackMs }
  },
  async clock({ machine, sleep }, { target, lastsMs }) {
    await machine.endNode(target)
    await machine.startNode(target, aheadSeconds)
    await sleep(lastsMs)
    await machine.endNode(target)
    await machine.startNode(target)
    return undefined
  },
  async slow({ proxies, sleep }, { target, lastsMs }) {
    proxies.slow(target, slowMs)
    await sleep(lastsMs)
    proxies.slow(target, 0)
    return undefined
  },
  async cut({ proxies, sleep }, { target, lastsMs }) {
    proxies.of(target).refuse()
    await sleep(lastsMs)
    proxies.of(target).restore()
    return undefined
  },
  async 'half-open'({ proxies, sleep }, { target, lastsMs }) {
    proxies.of(target).freeze()
    await sleep(lastsMs)
    proxies.of(target).restore()
    return undefined
  },
  async console({ machine, proxies, sleep }, { target, lastsMs }) {
    await machine.killConsole(target)
    await sleep(lastsMs)
    await machine.startConsole(target, proxies.contactPoints)
    return undefined
  },
}

export async function carryOut(scene: Scene, fault: PlannedFault): Promise<FaultDone> {
  const fromMs = nowMs()
  const times = await acts[fault.kind](scene, fault)
  return { ...fault, ...times, fromMs, untilMs: nowMs() }
}
