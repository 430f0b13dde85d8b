/**
 * Claim: a program that uses a lock over HTTP, by its token, gets at least half of what the driver does with the same
 * statements at 16 in flight, the token's read included; one at a time it waits at most 1.5 ms longer. Tokens, limits,
 * logs and audit are on. Both sides send from processes of their own, in turn: A B C A B C …
 */
import { loadFrom, tokensFor } from '../load/load.mjs'
import { warmUp } from '../load/warm-up.mjs'
import { median, processorMs, summary } from '../measure.mjs'

const senders = 16
/** Of the leases: the tokens may use names that begin with api/. */
const prefix = 'api/api'
const widths = [1, 16]
const rounds = 8
const roundMs = 1_500
/** Of each act of each side in turn, until the compilers are done. */
const warmUpMs = 5_000
const shareClaimed = 0.5
const aboveClaimedMs = 1.5
const acts = /** @type {const} */ (['GET', 'PUT + DELETE'])
const sides = /** @type {const} */ (['over HTTP', 'driver, with the token', 'driver, without'])

/** @typedef {{ samplesMs: number[], perSecond: number, processorMs: number[] }} Round processorMs: of each process, in their order */

/** @param {import('../measure.mjs').Bench} bench */
export async function api({ url, headers, password, contactPoint, keyspace, roles, pids }) {
  const tokens = await tokensFor({ url, headers, password }, senders)
  const http = await loadFrom({ kind: 'http', url, tokens, senders, prefix })
  const driver = await loadFrom({
    kind: 'driver',
    prefix,
    contactPoint,
    keyspace,
    tokenIds: tokens.map((token) => token.split('_')[1]),
    senders,
    ...roles.writer,
  })
  /** @param {typeof acts[number]} act @param {typeof sides[number]} side @param {number} width @param {number} ms */
  const run = async (act, side, width, ms) => {
    const sender = side === 'over HTTP' ? http : driver
    const spent = () => [pids.node, pids.server, sender.pid].map(processorMs)
    const before = spent()
    const round = await sender.run({ act, width, ms, withToken: side === 'driver, with the token' })
    return { ...round, processorMs: spent().map((now, i) => now - before[i]) }
  }

  /** @type {Map<string, Round[]>} */
  const measured = new Map()
  const of = (act, side, width) => measured.get(`${act} ${side} ${width}`) ?? []
  const notes = []
  try {
    notes.push(
      await warmUp(
        pids.node,
        acts.flatMap((act) => sides.map((side) => () => run(act, side, senders, warmUpMs))),
      ),
    )
    for (const width of widths)
      for (let round = 0; round < rounds; round++)
        for (const act of acts)
          for (const side of sides) {
            const key = `${act} ${side} ${width}`
            measured.set(key, [...(measured.get(key) ?? []), await run(act, side, width, roundMs)])
          }
  } finally {
    http.end()
    driver.end()
  }

  const rows = []
  for (const width of widths)
    for (const act of acts)
      for (const side of sides) {
        const all = of(act, side, width)
        rows.push([`${act}, ${width} in flight, ${side}`, summary(all.flatMap(({ samplesMs }) => samplesMs))])
        notes.push(
          `${act}, ${width} in flight, ${side}: ${Math.round(median(all.map((it) => it.perSecond)))}/s`,
        )
      }
  for (const act of acts)
    for (const side of sides) {
      const all = of(act, side, senders)
      const count = all.reduce((sum, { samplesMs }) => sum + samplesMs.length, 0)
      const [node, server, sender] = [0, 1, 2].map((i) =>
        (all.reduce((sum, { processorMs }) => sum + processorMs[i], 0) / count).toFixed(2),
      )
      notes.push(
        `Processor time of one ${act}, ${senders} in flight, ${side}: Cassandra ${node} ms, the console ${server} ms, the sender ${sender} ms`,
      )
    }
  const shares = acts.map((act) =>
    median(
      of(act, 'over HTTP', senders).map(
        ({ perSecond }, i) => perSecond / of(act, 'driver, with the token', senders)[i].perSecond,
      ),
    ),
  )
  const above = acts.map((act) => {
    const p50 = (side) => summary(of(act, side, 1).flatMap(({ samplesMs }) => samplesMs)).p50
    return p50('over HTTP') - p50('driver, with the token')
  })
  // A pair is two requests.
  const perRequestMs = [above[0], above[1] / 2]
  return {
    title: `/v1/locks by token, ${rounds} rounds of ${roundMs / 1000} s each`,
    rows,
    notes,
    claim: `of the driver's throughput at ${senders} in flight, with the token's read: GET ${shares[0].toFixed(2)}, PUT + DELETE ${shares[1].toFixed(2)} (claimed: at least ${shareClaimed}); above its median at 1 in flight: GET ${above[0].toFixed(2)} ms, PUT + DELETE ${above[1].toFixed(2)} ms (claimed: at most ${aboveClaimedMs} a request)`,
    holds: shares.every((share) => share >= shareClaimed) && perRequestMs.every((ms) => ms <= aboveClaimedMs),
  }
}
