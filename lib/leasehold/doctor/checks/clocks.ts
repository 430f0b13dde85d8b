/**
 * How far the coordinators' clocks are apart.
 *
 * A reading `nodeMs` was taken between `sentMs` and `receivedMs` of this process's clock. So the node's clock is ahead of it
 * by `nodeMs − receivedMs` at least, and by less than `nodeMs + 1 − sentMs`: Cassandra cuts off fractions of a millisecond.
 * All readings of a node bound it together. The difference of two nodes is bounded by the difference of their bounds; this
 * process's own clock cancels out, right or wrong.
 */
import type { ClockReading, NodeFacts } from '../../cassandra/index.ts'
import { fail, type Judgement, ok, unknown } from '../finding.ts'

/** By how many milliseconds a node's clock is ahead of this process's monotonic one. */
interface Offset {
  readonly leastMs: number
  readonly mostMs: number
}

export function offsetOf(readings: readonly ClockReading[]): Offset {
  const leastMs = Math.max(...readings.map(({ nodeMs, receivedMs }) => nodeMs - receivedMs))
  const mostMs = Math.min(...readings.map(({ nodeMs, sentMs }) => nodeMs + 1 - sentMs))
  // The node's clock was set meanwhile: it was at both.
  return leastMs <= mostMs ? { leastMs, mostMs } : { leastMs: mostMs, mostMs: leastMs }
}

/** The largest difference of any two: what it surely is, and what it may be. */
export function spreadOf(offsets: readonly Offset[]): Offset {
  const most = (of: (offset: Offset) => number) => Math.max(...offsets.map(of))
  const least = (of: (offset: Offset) => number) => Math.min(...offsets.map(of))
  return {
    leastMs: Math.max(0, most(({ leastMs }) => leastMs) - least(({ mostMs }) => mostMs)),
    mostMs: most(({ mostMs }) => mostMs) - least(({ leastMs }) => leastMs),
  }
}

/** Fails above half of `maxClockSkewMs`: deadlines assume less than all of it, and clocks go on drifting. */
export function checkClocks(nodes: readonly NodeFacts[], maxClockSkewMs: number): Judgement {
  const limitMs = maxClockSkewMs / 2
  const read = nodes.flatMap(({ address, answer }) =>
    answer === null ? [] : [{ address, offset: offsetOf(answer.clock) }],
  )
  const silent = nodes.filter(({ answer }) => answer === null).map(({ address }) => address)
  const { leastMs, mostMs } = spreadOf(read.map(({ offset }) => offset))
  const bound = `Half of maxClockSkew is ${whole(limitMs)} ms.`
  if (read.length > 1 && leastMs > limitMs)
    return fail(
      `The nodes' clocks are ${whole(leastMs)} ms apart at least (${ends(read)}). ${bound}`,
      'Synchronise the clocks of all nodes (chrony or ntpd). Until then a lease may be granted before its holder has stopped.',
    )
  if (silent.length > 0)
    return unknown(
      `${silent.length === 1 ? 'One node' : `${silent.length} nodes`} did not answer with the time: ${silent.join(', ')}.`,
      'Run the doctor where the driver connects to these nodes: in their data centre, while they are up.',
    )
  if (read.length === 1) return ok('There is one node, and so one clock.')
  if (mostMs > limitMs)
    return unknown(
      `The nodes' clocks may be up to ${whole(mostMs)} ms apart: the answers took too long to tell. ${bound}`,
      'Run the doctor again when the cluster is less busy, or nearer to it.',
    )
  return ok(`The clocks of ${read.length} nodes are ${whole(mostMs)} ms apart at most. ${bound}`)
}

const whole = (ms: number): string => String(Math.ceil(ms))

/** The two clocks that are the furthest apart. */
function ends(read: readonly { address: string; offset: Offset }[]): string {
  const [behind] = read.toSorted((a, b) => a.offset.mostMs - b.offset.mostMs)
  const [ahead] = read.toSorted((a, b) => b.offset.leastMs - a.offset.leastMs)
  return `${ahead?.address} is ahead of ${behind?.address}`
}
