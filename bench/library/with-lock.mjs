/**
 * Claim: `withLock` around nothing costs at most 1.1 times what the bare driver needs for the conditional acquire, the
 * SERIAL read that gives the token, the conditional release. (The library reads the token at quorum.) On fresh names, and on one name
 * again and again. In turn, in one run: A B A B …
 */
import { randomUUID } from 'node:crypto'
import { Leases } from 'leasehold/lease'
import { Locks } from 'leasehold/lock'
import { summary } from '../measure.mjs'

const rounds = 1_000
const warmUp = 200

/** @param {import('../measure.mjs').Bench} bench */
export async function withLock({ client, consistencies, keyspace, session }) {
  const leases = new Leases(session)
  const locks = new Locks(leases)
  const table = `${keyspace}.leases`
  const acquire = `UPDATE ${table} USING TTL ? SET owner = ?, value = ? WHERE name = ? IF owner = null`
  const read = `SELECT owner, value, writetime(owner), ttl(owner), ttl(value), toUnixTimestamp(now()) FROM ${table} WHERE name = ?`
  const release = `DELETE FROM ${table} WHERE name = ? IF owner = ?`
  const write = {
    prepare: true,
    consistency: consistencies.quorum,
    serialConsistency: consistencies.serial,
    readTimeout: 20_000,
  }
  const serial = { prepare: true, consistency: consistencies.serial }

  /** @param {string} name */
  const bare = async (name) => {
    const owner = randomUUID()
    const startedMs = performance.now()
    await client.execute(acquire, [30, owner, null, name], write)
    await client.execute(read, [name], serial)
    await client.execute(release, [name, owner], write)
    return performance.now() - startedMs
  }
  /** @param {string} name */
  const library = async (name) => {
    const startedMs = performance.now()
    await locks.withLock(name, { ttlSeconds: 30 }, async () => {})
    return performance.now() - startedMs
  }

  const run = randomUUID()
  /** Names of their own, so that neither works on the other's tombstones. */
  const names = {
    'fresh names': (/** @type {string} */ who, /** @type {number} */ round) => `bench/${run}/${who}/${round}`,
    'one name again and again': (/** @type {string} */ who) => `bench/${run}/${who}`,
  }
  /** @type {[string, import('../measure.mjs').Summary][]} */
  const rows = []
  const ratios = []
  for (const [which, nameOf] of Object.entries(names)) {
    const bareMs = []
    const libraryMs = []
    for (let round = -warmUp; round < rounds; round++) {
      const turns = [
        async () => bareMs.push(await bare(nameOf('bare', round))),
        async () => libraryMs.push(await library(nameOf('lock', round))),
      ]
      for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
      if (round === -1) for (const samples of [bareMs, libraryMs]) samples.length = 0
    }
    const [lock, driver] = [summary(libraryMs), summary(bareMs)]
    rows.push([`withLock, ${which}`, lock], [`the bare driver, ${which}`, driver])
    ratios.push({ which, ratio: lock.p50 / driver.p50 })
  }
  await leases.close()
  return {
    title: `withLock around nothing, ${rounds} rounds each`,
    rows,
    claim: `withLock / bare driver at the median: ${ratios.map(({ which, ratio }) => `${ratio.toFixed(3)} on ${which}`).join(', ')} (claimed: at most 1.1)`,
    holds: ratios.every(({ ratio }) => ratio <= 1.1),
  }
}
