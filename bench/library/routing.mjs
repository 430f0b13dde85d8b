/**
 * Three nodes: acquire and release through the bare driver with its default policy, and through the library, each also with the
 * first live replica as coordinator, and with and without the read of the token. Each side sends from a process of its own,
 * in turn.
 */
import { loadFrom } from '../load/load.mjs'
import { onThreeNodes } from '../load/three-nodes.mjs'
import { median, summary } from '../measure.mjs'

const senders = 64
const full = { widths: [1, 16, 64], rounds: 5, roundMs: 2_000, warmUpMs: 5_000 }
const quick = { widths: [16], rounds: 1, roundMs: 700, warmUpMs: 700 }
/** @type {Record<string, object>} */
const sides = {
  'driver, default policy': { kind: 'driver' },
  'driver, first replica': { kind: 'driver', routes: true },
  'driver, default policy, no token': { kind: 'driver', readsToken: false },
  'driver, first replica, no token': { kind: 'driver', routes: true, readsToken: false },
  library: { kind: 'library' },
  'library, first replica': { kind: 'library', routes: true },
}
const act = 'PUT + DELETE'

/** @param {import('../measure.mjs').Bench} bench */
export async function routing({ root, java, isQuick }) {
  const { widths, rounds, roundMs, warmUpMs } = isQuick ? quick : full
  /** @type {Record<string, Awaited<ReturnType<typeof loadFrom>>>} */
  const loads = {}
  /** @type {Map<string, { samplesMs: number[], perSecond: number }[]>} */
  const measured = new Map()
  await onThreeNodes({ root, java }, async ({ contactPoint, keyspace }) => {
    const where = { contactPoint, keyspace, senders, username: 'anyone', password: 'none' }
    try {
      for (const [i, [side, options]] of Object.entries(sides).entries())
        loads[side] = await loadFrom({ ...options, ...where, prefix: `side-${i}` })
      const run = (side, width, ms) => loads[side].run({ act, width, ms, withToken: false })
      for (const side of Object.keys(sides)) await run(side, 16, warmUpMs)
      for (const width of widths)
        for (let round = 0; round < rounds; round++)
          for (const side of Object.keys(sides)) {
            const key = `${side} ${width}`
            measured.set(key, [...(measured.get(key) ?? []), await run(side, width, roundMs)])
          }
    } finally {
      for (const load of Object.values(loads)) load.end()
    }
  })
  const of = (side, width) => measured.get(`${side} ${width}`) ?? []
  const share = (side, width) =>
    median(of(side, width).map((it, i) => it.perSecond / of('driver, default policy', width)[i].perSecond))
  const rows = widths.flatMap((width) =>
    Object.keys(sides).map((side) => {
      const { p50, p99 } = summary(of(side, width).flatMap(({ samplesMs }) => samplesMs))
      const perSecond = median(of(side, width).map((it) => it.perSecond))
      return [
        `${side}, ${width} in flight`,
        ...[p50.toFixed(1), p99.toFixed(1), perSecond.toFixed(0), share(side, width).toFixed(2)],
      ]
    }),
  )
  const reached = share('library, first replica', 16)
  return {
    title: `three nodes: pairs of acquire and release, ${rounds} rounds of ${roundMs / 1_000} s each`,
    table: { columns: ['side', 'p50 ms', 'p99 ms', 'a second', 'a second / driver'], rows },
    notes: [
      'Three nodes, and the senders, share the processors of this machine',
      'The token is read at SERIAL by the driver, at quorum by the library',
    ],
    claim: `library with the first replica / driver with its default policy, 16 in flight: ${reached.toFixed(2)} (goal: 1.5)`,
    holds: reached >= 1.5,
  }
}
