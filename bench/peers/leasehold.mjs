/** Leasehold: the library, on the node that the bench has started. */
import { Leases } from 'leasehold/lease'
import { ttlSeconds } from './timing.mjs'

/** Every process of the bench is on one machine: its clocks are one clock. */
const maxClockSkewMs = 100

/** @param {{ contactPoint: string, keyspace: string, username: string, password: string }} where */
export async function connect({ contactPoint, keyspace, username, password }) {
  const { connect } = await import('leasehold/cassandra')
  const session = await connect({
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    username,
    password,
  })
  const leasesOf = () => new Leases({ store: session.store, tickets: session.tickets, maxClockSkewMs })
  const reading = leasesOf()
  return {
    /** Each waiter has leases of its own: they share a connection, as the waiters of the other peers do, and nothing else. */
    async acquire(name, { signal }) {
      const leases = leasesOf()
      try {
        const lease = await leases.acquire(name, { ttlSeconds, signal })
        return { release: () => lease.release().then(() => leases.close()) }
      } catch (error) {
        await leases.close()
        throw error
      }
    },
    /** Cassandra fixes the expiry with the last renewal: a whole second, which a read of the row shows. */
    async watch(name) {
      return {
        async ended() {
          const views = [await reading.read(name), await reading.read(name)]
          // A read across the edge of a second shows one second too much.
          const endedMs = Math.min(...views.map((view) => view?.expiresAtMs ?? Number.NaN))
          const nominalMs = Number(views[0]?.version) / 1_000 + ttlSeconds * 1_000
          return { endedMs, nominalMs }
        },
      }
    },
    async close() {
      await reading.close()
      await session.close()
    },
  }
}
