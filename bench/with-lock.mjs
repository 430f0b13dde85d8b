/**
 * Claim: `withLock` around nothing costs at most 1.1 times what the same statements cost through the bare driver: the
 * conditional acquire, the SERIAL read that gives the token, the conditional release. In turn, in one run: A B A B …
 */
import { randomUUID } from 'node:crypto'
import { CassandraLeaseStore } from 'leasehold/cassandra'
import { Leases } from 'leasehold/lease'
import { Locks } from 'leasehold/lock'
import { summary } from './measure.mjs'

const rounds = 1_000

/** @param {import('./measure.mjs').Bench} bench */
export async function withLock({ client, consistencies, keyspace, session }) {
  const locks = new Locks(new Leases({ store: new CassandraLeaseStore(session) }))
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

  const bareMs = []
  const libraryMs = []
  for (let round = -200; round < rounds; round++) {
    // Names of their own, so that neither works on the other's tombstones; in changing order.
    const turns = [
      async () => bareMs.push(await bare(`bench/bare/${round}`)),
      async () => libraryMs.push(await library(`bench/lock/${round}`)),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
    if (round === -1) for (const samples of [bareMs, libraryMs]) samples.length = 0
  }
  const [lock, driver] = [summary(libraryMs), summary(bareMs)]
  return {
    title: `withLock around nothing, ${rounds} rounds`,
    rows: [
      ['withLock', lock],
      ['the same three statements, bare driver', driver],
    ],
    claim: `withLock / bare driver: ${(lock.p50 / driver.p50).toFixed(3)} at the median (claimed: at most 1.1)`,
    holds: lock.p50 <= 1.1 * driver.p50,
  }
}
