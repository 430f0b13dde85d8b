/**
 * Claim: after a crash one waiter holds within 30 ms (median) of the end of the lease on Cassandra, and sooner than with any
 * peer after the end of the TTL. Measured beside it: the same of etcd, ZooKeeper and Redis, each a server of its own on
 * this machine with a client of npm, one peer after the other; with 1 waiter and with 50; and after a release.
 */
import { summary } from '../measure.mjs'
import * as leasehold from '../peers/leasehold.mjs'
import { afterCrash, afterRelease } from '../peers/rounds.mjs'
import { clientVersion, peers as others, startServerOf } from '../peers/servers.mjs'
import { ttlSeconds } from '../peers/timing.mjs'

const claimedMs = 30
const ms = (/** @type {number} */ number) => number.toFixed(0)
/** Rounds that run at once are few: all leases of Cassandra end with a whole second, and would end together. */
const full = [
  { waiters: 1, crashes: 18, atOnce: 6, releases: 10 },
  { waiters: 50, crashes: 6, atOnce: 2, releases: 5 },
]
const quick = [
  { waiters: 1, crashes: 2, atOnce: 2, releases: 2 },
  { waiters: 50, crashes: 2, atOnce: 2, releases: 2 },
]

/** @param {import('../measure.mjs').Bench} bench */
export async function peers(bench) {
  const { contactPoint, keyspace, roles, isQuick, java } = bench
  const notes = []
  const measured = []
  const failures = []
  const keep = async (title, versions, options) => {
    try {
      const it = { title, versions, ...(await measure(options, isQuick, failures)) }
      measured.push(it)
      // A run takes minutes: what was measured is on screen when a later peer fails.
      for (const row of rowsOf(it)) console.log(`  ${row.join('  ')}`)
    } catch (error) {
      notes.push(`${title}: failed: ${error}`)
    }
  }
  const where = { contactPoint, keyspace, ...roles.program }
  await keep('Leasehold', 'Cassandra, and the library of this repository', {
    peer: 'leasehold',
    where,
    connect: leasehold.connect,
  })
  for (const peer of others) {
    if (!peer.isInstalled()) {
      notes.push(`${peer.title}: skipped, its server is not installed (--install installs ${peer.packages})`)
      continue
    }
    const server = await startServerOf(peer, java)
    try {
      const versions = `${peer.title} ${server.version}, ${peer.client} ${clientVersion(peer.client)}`
      await keep(peer.title, versions, { peer: peer.id, where: server.where, connect: peer.connect })
    } finally {
      await server.stop()
    }
  }
  const withOne = measured.map(({ title, byWaiters }) => ({ title, ...byWaiters[0] }))
  const own = withOne.find(({ title }) => title === 'Leasehold')
  const rivals = withOne.filter((it) => it !== own)
  if (own === undefined) throw new Error(notes.join('\n'))
  const soonest = rivals.toSorted((a, b) => a.ttl.p50 - b.ttl.p50)[0]
  const [one, many] = isQuick ? quick : full
  return {
    title: `takeover by a waiter, TTL ${ttlSeconds} s, one server of each on this machine`,
    table: {
      columns: [
        'ms',
        'crash, after the end of the lease: p50',
        'max',
        'crash, after the last renewal + TTL: p50',
        'max',
        'release: p50',
        'max',
      ],
      rows: measured.flatMap(rowsOf),
    },
    notes: [
      `With 1 waiter ${one.crashes} crashes and ${one.releases} releases of each, with ${many.waiters} waiters ${many.crashes} and ${many.releases}`,
      'The end of the lease: on Cassandra the whole second that a SERIAL read shows, on Redis what PTTL shows; of etcd and ZooKeeper the moment at which a watch reports that the key is gone',
      'A negative figure: Cassandra ends a lease up to a second before the last renewal and the TTL, because it counts whole seconds. Holders allow for that',
      ...measured.map((it) => `${it.title}: ${it.versions}`),
      ...notes,
      ...(failures.length === 0 ? [] : [`Rounds that failed and are left out: ${failures.join('; ')}`]),
    ],
    claim: `Leasehold ${ms(own.end.p50)} ms after its end of the lease at the median (claimed: at most ${claimedMs}); ${soonest === undefined ? 'no peer was measured' : `the soonest peer after the end of its TTL: ${soonest.title}, ${ms(soonest.ttl.p50)} ms (claimed: later than Leasehold)`}`,
    holds: own.end.p50 <= claimedMs && (soonest === undefined || own.end.p50 < soonest.ttl.p50),
  }
}

const figures = ({ p50, max }) => [ms(p50), ms(max)]

/** One row for each number of waiters. */
const rowsOf = ({ title, byWaiters }) =>
  byWaiters.map(({ waiters, end, ttl, release }) => [
    `${title}, ${waiters === 1 ? '1 waiter' : `${waiters} waiters`}`,
    ...[...figures(end), ...figures(ttl), ...figures(release)],
  ])

/**
 * One peer, all rounds. A round that fails, because a client lost its connection for example, is left out, and counted.
 *
 * @param {{ peer: string, where: object, connect: Function }} options @param {boolean} isQuick @param {string[]} failures
 */
async function measure({ peer, where, connect }, isQuick, failures) {
  const client = await connect(where)
  const observer = await connect(where)
  const byWaiters = []
  try {
    for (const { waiters, crashes, atOnce, releases } of isQuick ? quick : full) {
      const round = (name) => ({ peer, where, client, observer, name, waiters })
      const crashed = await inTurns(crashes, atOnce, failures, (i) =>
        afterCrash(round(`crash-${waiters}-${i}`)),
      )
      // One at a time: a release is soon over, and another round would be in its way.
      const released = await inTurns(releases, 1, failures, (i) =>
        afterRelease(round(`release-${waiters}-${i}`)),
      )
      byWaiters.push({
        waiters,
        end: summary(crashed.map(({ beyondEndMs }) => beyondEndMs)),
        ttl: summary(crashed.map(({ beyondTtlMs }) => beyondTtlMs)),
        release: summary(released),
      })
    }
  } finally {
    await client.close()
    await observer.close()
  }
  return { byWaiters }
}

/**
 * @template T
 * @param {number} count @param {number} atOnce @param {string[]} failures @param {(i: number) => Promise<T>} round
 * @returns {Promise<T[]>} of the rounds that did not fail
 */
async function inTurns(count, atOnce, failures, round) {
  const results = []
  let next = 0
  const turn = async () => {
    for (let i = next++; i < count; i = next++)
      await round(i).then(
        (result) => results.push(result),
        (error) => failures.push(String(error)),
      )
  }
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, turn))
  if (results.length < count / 2) throw new Error(`Most rounds failed: ${failures.at(-1)}`)
  return results
}
