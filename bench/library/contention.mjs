/**
 * Claim: with 100 contenders for one lease, fair mode hands it over with at most 4 conditional writes, and more often than
 * naive retries do. Each contender acquires, releases at once, and comes again; each has a connection of its own. Three
 * ways, in turn: naive (the bare driver tries every 25 to 75 ms), the library's wait, and its fair mode.
 */
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Leases } from 'leasehold/lease'
import { inParallel, summary } from '../measure.mjs'

const ttlSeconds = 30
const naiveRetryMs = () => 25 + Math.random() * 50
const claimedWrites = 4
const full = { contenders: [1, 10, 100], roundMs: 6_000, warmUpMs: 1_500 }
const quick = { contenders: [1, 3], roundMs: 1_500, warmUpMs: 500 }
const ways = /** @type {const} */ (['naive', 'library', 'fair'])

/** @param {import('../measure.mjs').Bench} bench */
export async function contention(bench) {
  const { contenders, roundMs, warmUpMs } = bench.isQuick ? quick : full
  const all = await connections(bench, Math.max(...contenders))
  const measured = []
  try {
    for (const way of ways) await round(bench, all.slice(0, 2), way, warmUpMs)
    for (const count of contenders)
      for (const way of ways)
        measured.push({ count, way, ...(await round(bench, all.slice(0, count), way, roundMs)) })
  } finally {
    await Promise.all(all.map(({ session }) => session.close()))
  }
  const most = Math.max(...contenders)
  const of = (way) => measured.find((it) => it.count === most && it.way === way)
  const perHandOver = of('fair').conditional / of('fair').handOvers
  const ratio = of('fair').handOvers / of('naive').handOvers
  const each = (number, count, digits = 1) => (count === 0 ? '' : (number / count).toFixed(digits))
  return {
    title: `contenders for one lease, ${roundMs / 1_000} s each`,
    table: {
      columns: [
        'contenders, way',
        'tenures a second',
        'hand-overs a second',
        'conditional writes a tenure',
        'conditional writes a hand-over',
        'all statements a tenure',
        'wait p50 ms',
        'wait p99 ms',
        'contenders that never held',
      ],
      rows: measured.map((it) => [
        `${it.count}, ${it.way}`,
        each(it.tenures, it.seconds),
        it.count === 1 ? '' : each(it.handOvers, it.seconds),
        each(it.conditional, it.tenures),
        it.count === 1 ? '' : each(it.conditional, it.handOvers),
        each(it.conditional + it.others, it.tenures),
        it.tenures === 0 ? '' : it.waits.p50.toFixed(0),
        it.tenures === 0 ? '' : it.waits.p99.toFixed(0),
        String(it.without),
      ]),
    },
    notes: [
      'A hand-over: another contender than the last one holds. Waits are those that ended; a contender that never held is in the last column',
      'The bare driver reads no token; the library reads it at quorum, which counts among all statements',
    ],
    claim: `with ${most} contenders fair mode needs ${perHandOver.toFixed(1)} conditional writes a hand-over (claimed: at most ${claimedWrites}), naive retries ${each(of('naive').conditional, of('naive').handOvers)}; ${ratio.toFixed(1)} times as many hand-overs as naive retries (claimed: at least 1)`,
    holds: perHandOver <= claimedWrites && ratio >= 1,
  }
}

/** Connections that count what is sent over them. @param {import('../measure.mjs').Bench} bench @param {number} count */
async function connections({ contactPoint, keyspace, roles }, count) {
  const { connect } = await import('leasehold/cassandra')
  const all = []
  await inParallel(Array.from({ length: count }), 8, async () => {
    const session = await connect({
      contactPoints: [contactPoint],
      localDataCenter: 'datacenter1',
      keyspace,
      ...roles.program,
    })
    const sent = { conditional: 0, others: 0 }
    const { client } = session
    const execute = client.execute.bind(client)
    client.execute = (cql, ...rest) => {
      sent[/ IF /.test(cql) ? 'conditional' : 'others']++
      return execute(cql, ...rest)
    }
    all.push({ session, sent })
  })
  return all
}

/** @param {import('../measure.mjs').Bench} bench @param {typeof ways[number]} way @param {number} ms */
async function round(bench, contenders, way, ms) {
  const name = `contention/${randomUUID()}`
  const before = total(contenders)
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  const startedMs = performance.now()
  const waitsMs = []
  const tenuresOf = contenders.map(() => 0)
  let tenures = 0
  let handOvers = 0
  let last = -1
  const contend = async (contender, i) => {
    const acquire = way === 'naive' ? naive(bench, contender) : library(contender, way)
    while (!ending.signal.aborted) {
      const beganMs = performance.now()
      const release = await acquire(name, ending.signal)
      if (release === null) return
      if (performance.now() - startedMs < ms) {
        waitsMs.push(performance.now() - beganMs)
        tenures++
        tenuresOf[i]++
        if (last !== i) handOvers++
        last = i
      }
      await release()
    }
  }
  const timer = pause(ms).then(() => {
    const seconds = (performance.now() - startedMs) / 1_000
    const after = total(contenders)
    ending.abort(new Error('The round is over.'))
    return {
      seconds,
      conditional: after.conditional - before.conditional,
      others: after.others - before.others,
    }
  })
  await Promise.all(contenders.map(contend))
  const without = tenuresOf.filter((count) => count === 0).length
  return { ...(await timer), tenures, handOvers, without, waits: summary(waitsMs) }
}

const total = (contenders) => ({
  conditional: contenders.reduce((sum, { sent }) => sum + sent.conditional, 0),
  others: contenders.reduce((sum, { sent }) => sum + sent.others, 0),
})

/** What a program without the library does. @returns the release; null: the round is over */
function naive({ keyspace, consistencies }, { session }) {
  const table = `${keyspace}.leases`
  const write = {
    prepare: true,
    consistency: consistencies.quorum,
    serialConsistency: consistencies.serial,
    readTimeout: 20_000,
  }
  const isApplied = ({ rows }) => rows[0]?.['[applied]'] === true
  const holds = async (name, owner) => {
    const { rows } = await session.client.execute(`SELECT owner FROM ${table} WHERE name = ?`, [name], {
      prepare: true,
      consistency: consistencies.serial,
    })
    return rows[0]?.owner === owner
  }
  const applied = async (name, owner, cql, values) => {
    try {
      return isApplied(await session.client.execute(cql, values, write))
    } catch {
      // The answer was lost, which contention makes common: a read finds out.
      return holds(name, owner).catch(() => false)
    }
  }
  return async (name, signal) => {
    while (!signal.aborted) {
      const owner = randomUUID()
      const acquire = `UPDATE ${table} USING TTL ? SET owner = ?, value = ? WHERE name = ? IF owner = null`
      if (await applied(name, owner, acquire, [ttlSeconds, owner, null, name]))
        return async () => {
          const release = `DELETE FROM ${table} WHERE name = ? IF owner = ?`
          await session.client.execute(release, [name, owner], write).catch(() => {})
        }
      await pause(naiveRetryMs())
    }
    return null
  }
}

/** @param {typeof ways[number]} way */
function library({ session }, way) {
  const leases = new Leases({ store: session.store, tickets: session.tickets, maxClockSkewMs: 100 })
  return async (name, signal) => {
    try {
      const lease = await leases.acquire(name, {
        ttlSeconds,
        signal,
        fair: way === 'fair' ? true : undefined,
      })
      return () => lease.release().catch(() => {})
    } catch (error) {
      if (!signal.aborted) throw error
      await leases.close()
      return null
    }
  }
}
