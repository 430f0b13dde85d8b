/**
 * "Retry, not rollback": an event carries an id that its client made and the time at which it happened, so that the
 * same write may be sent as often as it takes. Nothing is ever taken back: a delete that answers a lost write would
 * meet the write when it lands, or remove what a retry has just put there.
 */
import { randomUUID } from 'node:crypto'
import cassandra from 'cassandra-driver'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { CassandraSession, Statement } from '../../cassandra/index.ts'
import { isLeaseholdError } from '../../lease/index.ts'
import { FaultProxy } from '../../testing/index.ts'
import { testConnect, testContactPoint, testCredentials, testSession } from '../node-session.ts'

const keyspace = 'retry_not_rollback'
const quorum = cassandra.types.consistencies.quorum

/** The event's own time is the timestamp of its cells: the write is the same one, whenever and however often it lands. */
const write: Statement = {
  cql: `INSERT INTO ${keyspace}.events (day, id, at, what) VALUES (?, ?, ?, ?) USING TIMESTAMP ?`,
  consistency: quorum,
  // Longer than a busy machine takes: which answers come and which do not is what these tests are about.
  readTimeoutMs: 30_000,
}
/** Sent where no answer is going to come. */
const unheard: Statement = { ...write, readTimeoutMs: 3_000 }

interface Event {
  day: string
  id: string
  at: Date
  what: string
}

const paramsOf = ({ day, id, at, what }: Event) => [day, id, at, what, BigInt(at.getTime()) * 1000n]

/** Past the proxy, for looking. */
let direct: CassandraSession
let behind: CassandraSession
let proxy: FaultProxy

beforeAll(async () => {
  direct = await testSession(keyspace)
  await direct.client.execute(
    `CREATE TABLE IF NOT EXISTS ${keyspace}.events (day text, id text, at timestamp, what text, PRIMARY KEY (day, id))`,
  )
})
afterAll(() => direct?.close())

beforeEach(async () => {
  const [host = '', port = ''] = testContactPoint().split(':')
  proxy = await FaultProxy.listen(host, Number(port))
  behind = await testConnect({
    contactPoints: [proxy.contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    ...testCredentials(),
  })
  // Its statement is prepared from then on: what a busy node does not prepare in time is never sent.
  await record(newEvent('prepared'))
})
afterEach(async () => {
  await behind?.close()
  await proxy?.close()
})

const newEvent = (what: string): Event => ({
  day: `2026-11-20/${randomUUID()}`,
  id: randomUUID(),
  at: new Date('2026-11-20T03:00:00.123Z'),
  what,
})

/** Sends the event once. Whether an answer came. */
async function send(event: Event, statement = write): Promise<boolean> {
  try {
    await behind.execute(statement, paramsOf(event))
    return true
  } catch (thrown) {
    expect(isLeaseholdError(thrown, 'store-unavailable'), String(thrown)).toBe(true)
    return false
  }
}

/** Sends it until an answer comes: the whole of the error handling. */
async function record(event: Event): Promise<number> {
  for (let tries = 1; ; tries++) {
    if (await send(event)) return tries
    await new Promise((done) => setTimeout(done, 50))
  }
}

const rows = async ({ day }: Event) => {
  const { rows } = await direct.client.execute(
    `SELECT id, at, what, writetime(at), writetime(what) FROM ${keyspace}.events WHERE day = ?`,
    [day],
    { prepare: true, consistency: quorum },
  )
  return rows.map((row) => Object.fromEntries(Object.entries(row)))
}

const once = ({ id, at, what }: Event) => {
  const micros = BigInt(at.getTime()) * 1000n
  return [{ id, at, what, 'writetime(at)': micros, 'writetime(what)': micros }]
}

it('an event that is written ten times over, with answers swallowed, exists once and unchanged', async () => {
  const event = newEvent('billing/leader: a → b')
  const answered: boolean[] = []
  for (let time = 0; time < 10; time++) {
    // Every third one reaches Cassandra and is carried out there; its answer never comes back.
    const isHeld = time % 3 === 1
    if (isHeld) proxy.holdAfter(event.id)
    answered.push(await send(event, isHeld ? unheard : write))
    // From the first one on it is there, answered or not, and it is the same after each.
    expect(await rows(event), `after ${time + 1} writes`).toEqual(once(event))
    if (answered.at(-1) === false) await reconnected()
  }
  expect(answered).toEqual([true, false, true, true, false, true, true, false, true, true])
})

it('a write that goes unheard was carried out all the same: the retry changes nothing', async () => {
  const event = newEvent('billing/leader: released')
  proxy.holdAfter(event.id)
  expect(await send(event, unheard)).toBe(false)
  // A busy node may carry it out after the client has given it up.
  await expect.poll(() => rows(event), { message: 'unheard, and there' }).toEqual(once(event))
  await reconnected()
  expect(await record(event)).toBeGreaterThanOrEqual(1)
  expect(await rows(event)).toEqual(once(event))
})

it('goes on through a node that is away: each event once, in its own words and at its own time', async () => {
  const events = Array.from({ length: 10 }, (_, i) => newEvent(`event ${i}`))
  const work = Promise.all(events.map(record))
  for (let faults = 0; faults < 4; faults++) {
    await new Promise((done) => setTimeout(done, 40))
    proxy.refuse()
    await new Promise((done) => setTimeout(done, 100))
    proxy.restore()
  }
  await work
  for (const event of events) expect(await rows(event)).toEqual(once(event))
})

it('a rollback, for comparison, loses the event for good: the delete is newer than every retry', async () => {
  const event = newEvent('billing/leader: undone by mistake')
  proxy.holdAfter(event.id)
  expect(await send(event, unheard)).toBe(false)
  // The mistake: “no answer, so it failed, so it is deleted”; then a client tries again.
  await direct.client.execute(
    `DELETE FROM ${keyspace}.events WHERE day = ? AND id = ?`,
    [event.day, event.id],
    {
      prepare: true,
      consistency: quorum,
    },
  )
  await reconnected()
  await record(event)
  expect(await rows(event)).toEqual([])
})

/** Breaks what is held, and waits until the driver has a connection again. */
async function reconnected(): Promise<void> {
  proxy.cut()
  for (;;) {
    const alive = await behind.client.execute('SELECT key FROM system.local').then(
      () => true,
      () => false,
    )
    if (alive) return
    await new Promise((done) => setTimeout(done, 50))
  }
}
