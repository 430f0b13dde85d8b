/**
 * A holder that is late, and the table that refuses it.
 *
 * Run it against any Cassandra (it makes a keyspace of its own, `leasehold_fencing`):
 *
 *   npm run build --workspace leasehold
 *   CASSANDRA_CONTACT_POINTS=127.0.0.1:9042 node lib/leasehold/test/examples/fencing.mjs
 *
 * CASSANDRA_LOCAL_DC, CASSANDRA_USERNAME and CASSANDRA_PASSWORD are read too.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { CassandraLeaseStore, connect, FencedTable, tables } from 'leasehold/cassandra'
import { LeaseProtocol } from 'leasehold/lease'

const {
  CASSANDRA_CONTACT_POINTS: contactPoints = '127.0.0.1:9042',
  CASSANDRA_LOCAL_DC: localDataCenter = 'datacenter1',
  CASSANDRA_USERNAME: username,
  CASSANDRA_PASSWORD: password = '',
} = process.env

const session = await connect({
  contactPoints: contactPoints.split(','),
  localDataCenter,
  keyspace: 'leasehold_fencing',
  username,
  password,
})

try {
  for (const statement of [
    `CREATE KEYSPACE IF NOT EXISTS $k WITH replication = {'class': 'NetworkTopologyStrategy', '${localDataCenter}': 1}`,
    tables.leases,
    'CREATE TABLE IF NOT EXISTS $k.accounts (id text PRIMARY KEY, balance int, fence bigint)',
  ])
    await session.client.execute(statement.replaceAll('$k', session.keyspace))

  const leases = new LeaseProtocol({ store: new CassandraLeaseStore(session) })
  const accounts = new FencedTable(session, { table: 'accounts', key: ['id'], fence: 'fence' })
  const account = { id: `account-${process.pid}-${Date.now()}` }

  // Nothing renews this lease: as in a process that is paused, by its garbage collector or by its hypervisor.
  const old = await hold(4)
  const oldGuard = accounts.guard(old.token)
  console.log(`the old holder has token ${old.token}`)
  console.log(`the old holder sets the balance to 1: ${say(await oldGuard.update(account, { balance: 1 }))}`)

  console.log('the old holder stops, in the middle of its work; its lease expires')
  await pause(4_100)

  const next = await hold(10)
  console.log(`the next holder has token ${next.token}`)
  const nextGuard = accounts.guard(next.token)
  console.log(
    `the next holder sets the balance to 2: ${say(await nextGuard.update(account, { balance: 2 }))}`,
  )

  console.log('the old holder goes on, and does not know what it missed')
  console.log(`the old holder sets the balance to 3: ${say(await oldGuard.update(account, { balance: 3 }))}`)

  const { rows } = await session.client.execute(
    'SELECT balance, fence FROM leasehold_fencing.accounts WHERE id = ?',
    [account.id],
    { prepare: true },
  )
  console.log(`the row: balance ${rows[0]?.get('balance')}, fence ${rows[0]?.get('fence')}`)
  await leases.release(next)

  /** @param {number} ttlSeconds */
  async function hold(ttlSeconds) {
    const outcome = await leases.tryAcquire(account.id, { ttlSeconds })
    if (outcome.kind === 'held') throw new Error(`${account.id} is held by ${outcome.owner}`)
    const { token } = outcome.tenure
    if (token === null) throw new Error('a table without an owner column has no tokens')
    return { ...outcome.tenure, token }
  }
} finally {
  await session.close()
}

/** @param {import('leasehold/cassandra').FencedOutcome} outcome */
function say(outcome) {
  return outcome.kind === 'written' ? 'written' : `refused, because token ${outcome.fence} has written`
}
