/** Fencing on a real Cassandra: stale holders, rows without a fence, and answers that are lost. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLeaseholdError, LeaseProtocol, Leases } from '../../lease/index.ts'
import { testConnect, testContactPoint, testCredentials, testSession } from '../../test/node-session.ts'
import { harmless } from '../../test/patient-sessions.ts'
import { FaultProxy } from '../../testing/index.ts'
import { CassandraLeaseStore } from '../leases/lease-store.ts'
import { tables } from '../schema/tables.ts'
import type { CassandraSession } from '../session/session.ts'
import { FencedTable } from './fenced-table.ts'

const keyspace = 'fenced_test'
const options = { table: 'Accounts', key: ['id', 'Part'], fence: 'Fence' }
let session: CassandraSession
let accounts: FencedTable
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const fresh = () => ({ id: randomBytes(6).toString('hex'), Part: 1 })

beforeAll(async () => {
  session = await testSession(keyspace)
  for (const table of [
    tables.leases,
    'CREATE TABLE IF NOT EXISTS $k."Accounts" (id text, "Part" int, balance int, note text, "Fence" bigint, PRIMARY KEY (id, "Part"))',
  ])
    await session.client.execute(table.replaceAll('$k', keyspace))
  accounts = new FencedTable(session, options)
})
afterAll(() => session?.close())

async function rowOf(key: { id: string; Part: number }) {
  const found = await session.client.execute(
    `SELECT balance, note, "Fence" FROM ${keyspace}."Accounts" WHERE id = ? AND "Part" = ?`,
    [key.id, key.Part],
    { prepare: true },
  )
  const row = found.first()
  return row && { balance: row.get('balance'), note: row.get('note'), fence: row.get('Fence') }
}

const plainRow = (key: { id: string; Part: number }, balance: number) =>
  session.client.execute(
    `INSERT INTO ${keyspace}."Accounts" (id, "Part", balance) VALUES (?, ?, ?)`,
    [key.id, key.Part, balance],
    { prepare: true },
  )

describe('a fenced table', () => {
  it('refuses a holder whose lease expired, once the next one has written', async () => {
    const leases = new LeaseProtocol({ store: new CassandraLeaseStore(session), maxClockSkewMs: 100 })
    const key = fresh()
    const stale = await leases.tryAcquire(key.id, { ttlSeconds: 6 })
    if (stale.kind !== 'acquired' || stale.tenure.token === null) throw new Error('it was free')
    const staleGuard = accounts.guard(stale.tenure.token)
    expect(await staleGuard.update(key, { balance: 1 })).toEqual({ kind: 'written' })

    while ((await leases.read(key.id)) !== null) await pause(50)
    const next = await leases.tryAcquire(key.id, { ttlSeconds: 30 })
    if (next.kind !== 'acquired' || next.tenure.token === null) throw new Error('it has expired')
    // Before the next holder has written, the old one is in time.
    expect(await staleGuard.update(key, { balance: 2 })).toEqual({ kind: 'written' })
    const nextGuard = accounts.guard(next.tenure.token)
    expect(await nextGuard.update(key, {})).toEqual({ kind: 'written' })
    expect(await staleGuard.update(key, { balance: 3 })).toEqual({
      kind: 'refused',
      fence: next.tenure.token,
    })
    expect(await nextGuard.update(key, { balance: 4, note: null })).toEqual({ kind: 'written' })
    expect(await rowOf(key)).toEqual({ balance: 4, note: null, fence: next.tenure.token })
    expect(await accounts.fence(key)).toBe(next.tenure.token)
  })

  it('checks that the lease is held before it sends anything', async () => {
    const leases = new Leases({ store: new CassandraLeaseStore(session), maxClockSkewMs: 100 })
    const key = fresh()
    const lease = await leases.acquire(key.id, { ttlSeconds: 30 })
    const guard = accounts.guard(lease)
    expect(await guard.update(key, { balance: 1 })).toEqual({ kind: 'written' })
    await lease.release()
    await expect(guard.update(key, { balance: 2 })).rejects.toMatchObject({ code: 'lease-lost' })
    expect(await rowOf(key)).toMatchObject({ balance: 1 })
  })

  it('writes rows that are missing, and rows that have no fence yet', async () => {
    const [missing, bare] = [fresh(), fresh()]
    await plainRow(bare, 5)
    expect(await accounts.fence(missing)).toBeNull()
    expect(await accounts.fence(bare)).toBeNull()
    for (const key of [missing, bare]) {
      expect(await accounts.guard(7n).update(key, { note: 'first' })).toEqual({ kind: 'written' })
      expect(await accounts.guard(6n).update(key, { note: 'late' })).toEqual({ kind: 'refused', fence: 7n })
    }
    expect(await rowOf(missing)).toEqual({ balance: null, note: 'first', fence: 7n })
    expect(await rowOf(bare)).toEqual({ balance: 5, note: 'first', fence: 7n })
  })

  it('keeps the greatest token when eight first writers meet', async () => {
    for (let round = 0; round < 5; round++) {
      const key = fresh()
      const tokens = [3n, 8n, 1n, 6n, 2n, 7n, 5n, 4n]
      const outcomes = await Promise.allSettled(
        tokens.map((token) => accounts.guard(token).update(key, { balance: Number(token) })),
      )
      const row = await rowOf(key)
      expect(row?.balance).toBe(Number(row?.fence))
      for (const [i, outcome] of outcomes.entries()) {
        const token = tokens[i] as bigint
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'outcome-unknown' })
        else if (outcome.value.kind === 'refused') expect(outcome.value.fence).toBeGreaterThan(token)
        else expect(row?.fence).toBeGreaterThanOrEqual(token)
      }
      if (outcomes[1]?.status === 'fulfilled') expect(row?.fence).toBe(8n)
    }
  })

  it('binds values, and quotes names or refuses them', async () => {
    const key = fresh()
    const odd = "'; DROP TABLE x; --"
    await accounts.guard(1n).update(key, { note: odd })
    expect(await rowOf(key)).toMatchObject({ note: odd })
    const guard = accounts.guard(2n)
    for (const [wrongKey, columns] of [
      [key, { 'note" = null --': 1 }],
      [key, { Fence: 9n }],
      [key, { id: 'other' }],
      [key, { note: undefined }],
      [{ id: key.id }, { note: 'x' }],
      [{ ...key, more: 1 }, { note: 'x' }],
      [{ id: key.id, Part: undefined }, { note: 'x' }],
    ] as const)
      await expect(guard.update(wrongKey, columns)).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(guard.update(key, { nothing_of_that_name: 1 })).rejects.toMatchObject({
      code: 'store-refused',
    })
    for (const wrong of [
      { table: 'a b' },
      { key: [] },
      { key: ['Fence'] },
      { fence: 'f"' },
      { keyspace: '1' },
    ])
      expect(() => new FencedTable(session, { ...options, ...wrong })).toThrow(/identifier|key column/)
    expect(await rowOf(key)).toEqual({ balance: null, note: odd, fence: 1n })
  })
})

describe('an answer that is lost', () => {
  let proxy: FaultProxy
  let behind: CassandraSession
  /** Outside of `unheard`, what a busy machine does not send or answer in time is called again. */
  let holdsBack: () => void
  beforeAll(async () => {
    const [host = '', port = ''] = testContactPoint().split(':')
    proxy = await FaultProxy.listen(host, Number(port))
    behind = await testConnect({
      contactPoints: [proxy.contactPoint],
      localDataCenter: 'datacenter1',
      keyspace,
      ...testCredentials(),
    })
    holdsBack = harmless(proxy.contactPoint)
  })
  afterAll(async () => {
    await behind?.close()
    await proxy?.close()
  })

  /** The update that carries this note reaches the node; its answer does not come back. */
  async function unheard<T>(
    note: string,
    update: () => Promise<T>,
    key: { id: string; Part: number },
  ): Promise<T> {
    holdsBack()
    proxy.holdAfter(note)
    let updating: Promise<T>
    let thrown: unknown
    do {
      thrown = undefined
      updating = update()
      updating.catch((error) => {
        thrown = error
      })
      while (thrown === undefined && (await rowOf(key))?.note !== note) await pause(10)
      // What a busy machine does not send in time changes nothing: it is called again.
    } while (isLeaseholdError(thrown, 'store-unavailable'))
    const settled = updating.catch(() => {})
    proxy.cut()
    await settled
    // The driver connects again within a second.
    const reached = () =>
      new FencedTable(behind, options).fence(key).then(
        () => true,
        () => false,
      )
    while (!(await reached())) await pause(50)
    holdsBack = harmless(proxy.contactPoint)
    return updating
  }

  it('has a known outcome for the first update of a token: only that one can have set the fence', async () => {
    const key = fresh()
    const through = new FencedTable(behind, options)
    // The statements are prepared by then, so that the note is sent once.
    await through.guard(1n).update(key, { note: 'before' })
    const first = `first-${key.id}`
    const guard = through.guard(2n)
    expect(await unheard(first, () => guard.update(key, { note: first }), key)).toEqual({ kind: 'written' })
    expect(await rowOf(key)).toMatchObject({ note: first, fence: 2n })
  })

  it('stays unknown for a later update, and the way out is the next token', async () => {
    const key = fresh()
    const through = new FencedTable(behind, options)
    const guard = through.guard(2n)
    await guard.update(key, { note: 'before' })
    const second = `second-${key.id}`
    await expect(unheard(second, () => guard.update(key, { note: second }), key)).rejects.toMatchObject({
      code: 'outcome-unknown',
    })
    await expect(guard.update(key, { note: 'third' })).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect(await rowOf(key)).toMatchObject({ note: second })
    expect(await guard.update(fresh(), { note: 'another row' })).toEqual({ kind: 'written' })
    expect(await through.guard(3n).update(key, { note: 'anew' })).toEqual({ kind: 'written' })
    expect(await rowOf(key)).toMatchObject({ note: 'anew', fence: 3n })
  })
})
