/**
 * Claims: the library takes at most 1.1 times as long (median, one in flight) as the bare driver with the same statements, and
 * does at least 0.9 times as many a second, with 1 to 64 in flight; /v1/locks does at least 0.6 of the bare driver's pairs of
 * acquire and release a second with 16 in flight. Each side sends from a process of its own, in turn, and in another order each round:
 * A B C, B C A, C A B … A round of one side differs from the next by a seventh, so that a share is that of all rounds together.
 */
import { loadFrom, tokensFor } from '../load/load.mjs'
import { warmUp } from '../load/warm-up.mjs'
import { summary } from '../measure.mjs'

const claimed = { slower: 1.1, share: 0.9, overHttp: 0.6 }
const tokenCount = 16
const senders = 64
/** Of the leases: the tokens may use names that begin with api/. */
const prefix = 'api/operations'
/** warmUpMs: of each act of each side in turn, until the compilers are done */
const full = { widths: [1, 4, 16, 64], rounds: 9, roundMs: 1_500, warmUpMs: 3_000 }
const quick = { widths: [1, 16], rounds: 1, roundMs: 500, warmUpMs: 500 }
const sides = /** @type {const} */ (['driver', 'library', 'http'])
const acts = {
  'PUT + DELETE': 'acquire and release',
  renew: 'renew',
  GET: 'confirmed read',
}

/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** @param {import('../measure.mjs').Bench} bench */
export async function operations({ url, headers, password, contactPoint, keyspace, roles, pids, isQuick }) {
  const { widths, rounds, roundMs, warmUpMs } = isQuick ? quick : full
  const tokens = await tokensFor({ url, headers, password }, tokenCount)
  const where = { contactPoint, keyspace, senders, ...roles.writer }
  const loads = {
    driver: await loadFrom({ kind: 'driver', prefix, ...where }),
    library: await loadFrom({ kind: 'library', prefix, ...where }),
    http: await loadFrom({ kind: 'http', url, tokens, senders, prefix }),
  }
  /** @type {Map<string, import('./api.mjs').Round[]>} */
  const measured = new Map()
  const of = (act, side, width) => measured.get(`${act} ${side} ${width}`) ?? []
  const run = (act, side, width, ms) => loads[side].run({ act, width, ms, withToken: false })
  const notes = []
  try {
    const turns = Object.keys(acts).flatMap((act) => sides.map((side) => () => run(act, side, 16, warmUpMs)))
    if (isQuick) for (const turn of turns) await turn()
    else notes.push(await warmUp(pids.node, turns))
    for (const width of widths)
      for (let round = 0; round < rounds; round++)
        for (const act of Object.keys(acts))
          for (const side of [
            ...sides.slice(round % sides.length),
            ...sides.slice(0, round % sides.length),
          ]) {
            const key = `${act} ${side} ${width}`
            measured.set(key, [...(measured.get(key) ?? []), await run(act, side, width, roundMs)])
          }
  } finally {
    for (const load of Object.values(loads)) load.end()
  }

  const figures = (act, width, side) => {
    const all = of(act, side, width)
    const { p50, p99 } = summary(all.flatMap(({ samplesMs }) => samplesMs))
    return { p50, p99, perSecond: mean(all.map((it) => it.perSecond)) }
  }
  const share = (act, width, side) =>
    figures(act, width, side).perSecond / figures(act, width, 'driver').perSecond
  const cells = ({ p50, p99, perSecond }) => [p50.toFixed(1), p99.toFixed(1), perSecond.toFixed(0)]
  const rows = Object.entries(acts).flatMap(([act, title]) =>
    widths.map((width) => {
      const driver = figures(act, width, 'driver')
      const library = figures(act, width, 'library')
      return [
        `${title}, ${width} in flight`,
        ...cells(driver),
        ...cells(library),
        (library.p50 / driver.p50).toFixed(2),
        share(act, width, 'library').toFixed(2),
        ...cells(figures(act, width, 'http')),
        share(act, width, 'http').toFixed(2),
      ]
    }),
  )
  const of1 = widths[0]
  const slower = Math.max(
    ...Object.keys(acts).map((act) => figures(act, of1, 'library').p50 / figures(act, of1, 'driver').p50),
  )
  const least = Math.min(
    ...Object.keys(acts).flatMap((act) => widths.map((width) => share(act, width, 'library'))),
  )
  const overHttp = share('PUT + DELETE', 16, 'http')
  return {
    title: `one act through the bare driver, the library and /v1/locks, ${rounds} rounds of ${roundMs / 1_000} s each`,
    table: {
      columns: [
        'act',
        ...['driver p50 ms', 'p99 ms', 'a second'],
        ...['library p50 ms', 'p99 ms', 'a second', 'p50 / driver', 'a second / driver'],
        ...['/v1/locks p50 ms', 'p99 ms', 'a second', 'a second / driver'],
      ],
      rows,
    },
    notes: [
      ...notes,
      'Acquire and release: three statements, because the token is read: at SERIAL by the driver, at quorum by the library and /v1/locks. Through /v1/locks it is two requests, and each also reads the last revocation of a token',
      'One node; all sides and Cassandra share the processors of this machine',
    ],
    claim: `library / driver: ${slower.toFixed(2)} on the median with one in flight at most (claimed: ${claimed.slower}), ${least.toFixed(2)} of its rate at least (claimed: ${claimed.share}); /v1/locks ${overHttp.toFixed(2)} of the driver's pairs a second at 16 in flight (claimed: ${claimed.overHttp})`,
    holds: slower <= claimed.slower && least >= claimed.share && overHttp >= claimed.overHttp,
  }
}
