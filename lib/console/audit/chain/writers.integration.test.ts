/** The log on a real Cassandra: answers that are lost, an outage, midnight. */
import type { CassandraSession } from 'leasehold/cassandra'
import { FaultProxy, StatementProxy } from 'leasehold/testing'
import { type Clock, systemClock, systemTimer } from 'leasehold/time'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AuditEntry } from '../../../contract/audit.ts'
import { HastySession, seeded } from '../../../leasehold/test/faults/faulty-node.ts'
import { testConnect, testContactPoint, testCredentials } from '../../../leasehold/test/node-session.ts'
import { CassandraAuditStore } from './audit-store.ts'
import { event, testKey, testLog } from './test-audit.ts'
import { auditCommand, auditKeyspace } from './test-audit-keyspace.ts'

const keyspace = 'audit_writers_test'
const [host = '', port = ''] = (process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '').split(':')
let direct: CassandraSession
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  direct = await auditKeyspace(keyspace)
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
  await direct.close()
})

async function sessionAt(contactPoint: string): Promise<CassandraSession> {
  const session = await testConnect({
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    ...testCredentials(),
  })
  ends.push(() => session.close())
  return new HastySession(session)
}

const fresh = () => direct.client.execute(`TRUNCATE "${keyspace}".audit_log`, [], { readTimeout: 60_000 })

async function all(store: CassandraSession): Promise<AuditEntry[]> {
  const { audit } = testLog({
    keyspace,
    store: new CassandraAuditStore(store),
    clock: systemClock,
    timer: systemTimer,
  })
  const entries: AuditEntry[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await audit.page({ limit: 100, cursor })
    entries.push(...page.entries)
    cursor = page.nextCursor
  }
  return entries
}

it('three writers whose answers are lost at random: each entry once, no gap, and the log is whole', async () => {
  await fresh()
  const key = testKey()
  const random = seeded(7)
  let faults = 0
  let quiet = false
  const writers = await Promise.all(
    [0, 1, 2].map(async () => {
      const proxy = await StatementProxy.listen(host, Number(port), {
        fault: ({ cql }) => {
          if (quiet || !cql.includes('BEGIN BATCH') || random() > 0.25) return undefined
          faults += 1
          const kinds = [
            { kind: 'swallow-answer' },
            { kind: 'cut-after' },
            { kind: 'cut-late', ms: 800 },
            { kind: 'hold-request', ms: 2_500 },
            { kind: 'time-out', arrives: true },
            { kind: 'time-out', arrives: false },
          ] as const
          return kinds[Math.floor(random() * kinds.length)]
        },
      })
      ends.push(() => proxy.close())
      const store = new CassandraAuditStore(await sessionAt(proxy.contactPoint))
      return testLog({ store, keyspace, key, clock: systemClock, timer: systemTimer, appendWithinMs: 60_000 })
    }),
  )
  const wanted: string[] = []
  for (let round = 0; round < 12; round++)
    await Promise.all(
      writers.map(async ({ audit }, i) => {
        const ids = [0, 1, 2].map((n) => `${round}/${i}/${n}`)
        wanted.push(...ids)
        audit.appendUntilWritten(event(ids[0] as string))
        // Whose session has no connection at this moment is refused at once, and tries again.
        for (const id of ids.slice(1))
          for (let tries = 0; ; tries++) {
            const done = await audit.append(event(id)).then(
              () => true,
              (error) => {
                if (error.code !== 'store-unavailable' || tries > 100) throw error
                return false
              },
            )
            if (done) break
            await systemTimer.sleep(100)
          }
      }),
    )
  quiet = true
  await expect.poll(() => writers.flatMap(({ audit }) => audit.pending).length).toBe(0)
  // What was held on its way has arrived by now.
  await systemTimer.sleep(2_600)
  expect(faults).toBeGreaterThan(3)
  const ids = (await all(direct)).map(({ id }) => id)
  expect(ids.toSorted()).toEqual(wanted.toSorted())
  const anchors = writers.flatMap(({ anchors: kept }) => kept)
  const verdict = await auditCommand(keyspace, key, anchors)('verify')
  expect(verdict).toMatchObject({ code: 0, out: expect.stringContaining('is whole') })
})

it('an outage: no act starts, and outcomes are pending until they are written', async () => {
  await fresh()
  const proxy = await FaultProxy.listen(host, Number(port))
  ends.push(() => proxy.close())
  const store = new CassandraAuditStore(await sessionAt(proxy.contactPoint))
  const { audit, key, anchors } = testLog({ store, keyspace, clock: systemClock, timer: systemTimer })
  await audit.append(event('0', { phase: 'intent', outcome: null }))
  proxy.refuse()
  audit.appendUntilWritten(event('0', { phase: 'outcome', outcome: 'released' }))
  await expect(audit.append(event('1', { phase: 'intent', outcome: null }))).rejects.toMatchObject({
    code: 'store-unavailable',
  })
  await systemTimer.sleep(4_000)
  expect(audit.pending.map(({ id, phase }) => [id, phase])).toEqual([['0', 'outcome']])
  proxy.restore()
  await expect.poll(() => audit.pending.length).toBe(0)
  expect(await audit.openIntents()).toEqual([])
  const outcomes = (await all(direct)).filter(({ phase }) => phase === 'outcome')
  expect(outcomes).toMatchObject([{ id: '0', outcome: 'released' }])
  expect((await auditCommand(keyspace, key, anchors)('verify')).code).toBe(0)
})

it('midnight: two instances roll at once, one with a clock that is behind', async () => {
  await fresh()
  const key = testKey()
  const clockAt = (offset: { ms: number }): Clock => ({
    now: () => ({ monotonicMs: performance.now(), wallMs: Date.UTC(2026, 10, 21, 23, 0) + offset.ms }),
  })
  const offsets = [{ ms: 0 }, { ms: -1_000 }, { ms: 500 }]
  const logs = offsets.map((offset) =>
    testLog({
      keyspace,
      store: new CassandraAuditStore(direct),
      key,
      clock: clockAt(offset),
      timer: systemTimer,
      appendWithinMs: 60_000,
    }),
  )
  const append = (id: string) => Promise.all(logs.map(({ audit }, i) => audit.append(event(`${id}${i}`))))
  await append('a')
  for (const offset of offsets) offset.ms += 3_600_000
  // The first is past midnight, the second a second before it, the third past it.
  const rolled = await append('b')
  expect(rolled[0]?.bucket).toMatch(/^2026-11-22#\d+$/)
  offsets[1]!.ms += 5 * 86_400_000
  await append('c')
  expect((await all(direct)).map(({ id }) => id).sort()).toEqual(
    ['a', 'b', 'c'].flatMap((id) => [0, 1, 2].map((i) => `${id}${i}`)),
  )
  const anchors = logs.flatMap(({ anchors: kept }) => kept)
  expect(await auditCommand(keyspace, key, anchors)('verify')).toMatchObject({ code: 0 })
  expect(testContactPoint()).not.toBe('')
})

it('tomorrow deleted ahead of its time, as of a year from now, hides no entry of tomorrow', async () => {
  await fresh()
  let wallMs = Date.UTC(2026, 10, 21, 23, 0)
  const clock: Clock = { now: () => ({ monotonicMs: performance.now(), wallMs }) }
  const store = new CassandraAuditStore(direct)
  const { audit, key, anchors } = testLog({ keyspace, store, clock, timer: systemTimer })
  await audit.append(event('today'))
  const yearAhead = (Date.now() + 365 * 86_400_000) * 1000
  for (const part of ['', '#2', '#3'])
    await direct.client.execute(
      `DELETE FROM "${keyspace}".audit_log USING TIMESTAMP ${yearAhead} WHERE bucket = 'main:2026-11-22${part}'`,
    )
  wallMs += 2 * 3_600_000
  const { bucket } = await audit.append(event('tomorrow'))
  expect(bucket).toMatch(/^2026-11-22#\d+$/)
  expect(audit.alarms).toEqual([])
  expect((await all(direct)).map(({ id }) => id)).toEqual(['tomorrow', 'today'])
  expect(await auditCommand(keyspace, key, anchors)('verify')).toMatchObject({ code: 0 })
})
