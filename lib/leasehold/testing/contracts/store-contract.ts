/**
 * The contract of a lease store, as cases for any test runner. The stores in memory and in Cassandra pass the same
 * cases: a difference is a bug, or a new fact about Cassandra.
 */
import assert from 'node:assert/strict'
import type { LeaseHint, ScannedRow } from '../../lease/index.ts'
import { type Clock, untilDeadlineMs } from '../../time/index.ts'
import {
  acquired,
  type ContractCase,
  edgesSince,
  it,
  type PlainClient,
  writtenWithin,
} from './contract-case.ts'
import { forcedReleaseContract, noForcedReleaseContract } from './forced-release-contract.ts'

/** The parts of the contract that a store may replace; the contract has cases for the replacements too. */
export interface StoreCapabilities {
  /** Whether operators break and kill leases through the store. Default true; false: both are refused. */
  forcedRelease?: boolean
  /** Whether hints show a row without an owner. Default true; false: they show no row. */
  zombieHints?: boolean
}

/** The cases for a store with these capabilities. */
export function storeContract({
  forcedRelease = true,
  zombieHints = true,
}: StoreCapabilities = {}): ContractCase[] {
  return [
    ...everyStore,
    ...(forcedRelease ? forcedReleaseContract : noForcedReleaseContract),
    zombieHint(zombieHints ? { owner: null, value: 'longer' } : null),
  ]
}

/** A row whose owner will have expired in 4.3 s, and whose value will not. On a busy machine two writes may be seconds apart. */
const outlivingValue = (plain: PlainClient, unnamed: { clock: Clock; name: string }): Promise<string> =>
  writtenWithin(2_500, unnamed, async (name) => {
    assert.equal(await plain.insertIfNotExists(name, 'foo', 'v', 4), true)
    assert.equal(await plain.setValueOnly(name, 'foo', 'longer', 60), true)
  })

const zombieHint = (expected: LeaseHint | null): ContractCase =>
  it('shows a row without an owner in its hints', async ({ plain, store, wait, ...unnamed }) => {
    const name = await outlivingValue(plain, unnamed)
    await wait(4_300)
    assert.deepEqual(await store.hint(name), expected)
  })

const everyStore: ContractCase[] = [
  it('acquires a missing row, and names the holder to a rival', async ({ leases, clock, name }) => {
    const began = clock.now()
    const tenure = await acquired(leases, name, { owner: 'one', value: 'v' })
    const rival = await leases.tryAcquire(name, { owner: 'two' })
    assert.deepEqual(rival, { kind: 'held', owner: 'one' })
    const view = await leases.read(name)
    assert.equal(view?.owner, 'one')
    assert.equal(view?.value, 'v')
    assert.equal(view?.version, tenure.token)
    // A second shorter where the write crossed the edge of a second, a second longer where the read did; more, if they took that long.
    const ttlSeconds = view?.ttlSeconds ?? 0
    assert(Math.abs(ttlSeconds - 30) <= edgesSince(began, { clock }), `ttl ${ttlSeconds}`)
  }),

  it('a try of the owner that holds it is held, and changes nothing', async ({ leases, name }) => {
    const tenure = await acquired(leases, name, { owner: 'one', value: 'v', ttlSeconds: 30 })
    const again = await leases.tryAcquire(name, { owner: 'one', value: 'w', ttlSeconds: 5 })
    assert.deepEqual(again, { kind: 'held', owner: 'one' })
    const view = await leases.read(name)
    assert.deepEqual([view?.owner, view?.value, view?.version], ['one', 'v', tenure.token])
  }),

  it('lets one of sixteen contenders win', async ({ leases, name }) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, () => leases.tryAcquire(name, { ttlSeconds: 60 })),
    )
    const winners = outcomes.filter((o) => o.status === 'fulfilled' && o.value.kind === 'acquired')
    const view = await leases.read(name)
    assert(winners.length <= 1, `${winners.length} winners`)
    // Under contention an answer may be lost: then the read shows the contender whose outcome was unknown.
    for (const o of winners)
      if (o.status === 'fulfilled' && o.value.kind === 'acquired')
        assert.equal(view?.owner, o.value.tenure.owner)
    const unknown = outcomes.filter((o) => o.status === 'rejected')
    for (const o of unknown) assert.equal(o.reason.code, 'outcome-unknown')
    if (unknown.length === 0) assert.equal(winners.length, 1)
  }),

  it('renews for the owner alone, and sets every column', async ({ leases, name }) => {
    const tenure = await acquired(leases, name, { value: 'first' })
    const before = await leases.read(name)
    const renewed = await leases.renew(tenure, { value: 'second' })
    assert(renewed.kind === 'renewed')
    const after = await leases.read(name)
    assert.equal(after?.value, 'second')
    assert((after?.version ?? 0n) > (before?.version ?? 0n), 'a renewal is a newer version')
    assert.equal(after?.expiresAtMs, after?.valueExpiresAtMs)
    assert.deepEqual(await leases.renew({ ...tenure, owner: 'stranger' }), {
      kind: 'lost',
      why: 'not-holder',
      owner: tenure.owner,
    })
  }),

  it('renews a lease without a value, and keeps it without one', async ({ leases, name }) => {
    const tenure = await acquired(leases, name)
    assert.equal((await leases.renew(tenure)).kind, 'renewed')
    assert.equal((await leases.read(name))?.value, null)
  }),

  it('releases for the owner alone', async ({ leases, name }) => {
    const tenure = await acquired(leases, name)
    assert.deepEqual(await leases.release({ name, owner: 'stranger' }), {
      kind: 'notHeld',
      owner: tenure.owner,
    })
    assert.deepEqual(await leases.release(tenure), { kind: 'released', certain: true })
    assert.deepEqual(await leases.release(tenure), { kind: 'notHeld', owner: null })
    assert.equal(await leases.read(name), null)
  }),

  it('gives tokens that grow from tenure to tenure', async ({ leases, name }) => {
    let last = 0n
    for (let round = 0; round < 5; round++) {
      const tenure = await acquired(leases, name)
      assert((tenure.token ?? 0n) > last, 'the token grew')
      last = tenure.token ?? 0n
      const renewed = await leases.renew(tenure)
      assert(renewed.kind === 'renewed' && renewed.tenure.token === tenure.token, 'a renewal keeps the token')
      await leases.release(tenure)
    }
  }),

  it('expires at a whole second, after the deadline of the holder', async ({ leases, name, clock, wait }) => {
    for (const offsetMs of [0, 310, 640]) {
      await wait(offsetMs)
      for (let tries = 1; ; tries++) {
        const tenure = await acquired(leases, `${name}/${offsetMs}/${tries}`, { ttlSeconds: 2 })
        const isLate = () => untilDeadlineMs(tenure.deadline, clock.now()) <= 0 && tries < 20
        const view = await leases.read(tenure.name)
        // On a busy machine a read may come after the deadline, and then shows nothing: again.
        if (view === null && isLate()) continue
        assert(view?.expiresAtMs != null)
        assert.equal(view.expiresAtMs % 1000, 0)
        // Until the deadline, Cassandra shows it.
        await wait(Math.max(0, untilDeadlineMs(tenure.deadline, clock.now()) - 20))
        const last = await leases.read(tenure.name)
        if (last === null && isLate()) continue
        assert.equal(last?.owner, tenure.owner)
        // Past the expiry, it does not.
        await wait(Math.max(0, view.expiresAtMs - clock.now().wallMs + 150))
        assert.equal(await leases.read(tenure.name), null)
        break
      }
    }
  }),

  it('is respected by clients that use INSERT … IF NOT EXISTS, and respects them', async ({
    leases,
    plain,
    name,
  }) => {
    const tenure = await acquired(leases, name)
    assert.equal(await plain.insertIfNotExists(name, 'foo', null, 30), false)
    assert.equal(await plain.renewOwnerOnly(name, 'foo', 30), false)
    assert.equal(await plain.deleteIfOwner(name, 'foo'), false)
    await leases.release(tenure)
    assert.equal(await plain.insertIfNotExists(name, 'foo', 'bar', 30), true)
    assert.deepEqual(await leases.tryAcquire(name), { kind: 'held', owner: 'foo' })
    assert.equal(await plain.renewOwnerOnly(name, 'foo', 30), true)
    assert.equal(await plain.deleteIfOwner(name, 'foo'), true)
    await acquired(leases, name)
  }),

  it('shows a row whose value outlived its owner as a zombie, and acquires it', async ({
    leases,
    plain,
    wait,
    ...unnamed
  }) => {
    const name = await outlivingValue(plain, unnamed)
    await wait(4_300)
    const zombie = await leases.read(name)
    assert(zombie !== null, 'the row is still there')
    assert.equal(zombie.owner, null)
    assert.equal(zombie.version, null)
    assert.equal(zombie.value, 'longer')
    assert.equal(await plain.insertIfNotExists(name, 'bar', null, 30), false, 'it locks plain clients out')
    await acquired(leases, name, { owner: 'mine' })
    assert.equal((await leases.read(name))?.owner, 'mine')
  }),

  it('acquires a row that has only its marker left', async ({ leases, plain, name, wait }) => {
    assert.equal(await plain.insertIfNotExists(name, 'foo', null, 60), true)
    assert.equal(await plain.renewOwnerOnly(name, 'foo', 2), true)
    await wait(2_300)
    assert.equal((await leases.read(name))?.owner, null)
    assert.equal(await plain.insertIfNotExists(name, 'bar', null, 30), false)
    await acquired(leases, name)
  }),

  it('sees a value that expires before its owner', async ({ leases, plain, name }) => {
    assert.equal(await plain.insertIfNotExists(name, 'foo', 'v', 20), true)
    assert.equal(await plain.renewOwnerOnly(name, 'foo', 60), true)
    const view = await leases.read(name)
    assert(view?.expiresAtMs != null && view.valueExpiresAtMs != null)
    assert(view.valueExpiresAtMs <= view.expiresAtMs - 39_000)
  }),

  it('shows the holder and the value in its hints', async ({ leases, store, name }) => {
    assert.equal(await store.hint(name), null)
    const tenure = await acquired(leases, name)
    assert.deepEqual(await store.hint(name), { owner: tenure.owner, value: null })
    const renewed = await leases.renew(tenure, { value: 'next' })
    assert.equal(renewed.kind, 'renewed')
    assert.deepEqual(await store.hint(name), { owner: tenure.owner, value: 'next' })
    await leases.release(tenure)
    assert.equal(await store.hint(name), null)
  }),

  it('shows at a quorum each write that was applied', async ({ leases, store, name }) => {
    const owner = async () => (await store.readWritten?.(name))?.cells?.owner
    if (store.readWritten === undefined) return
    assert.equal(await owner(), undefined)
    const tenure = await acquired(leases, name)
    assert.equal(await owner(), tenure.owner)
    assert.equal((await store.readWritten(name)).cells?.ownerWritetime, tenure.token)
    await leases.release(tenure)
    assert.equal(await owner(), undefined)
  }),

  it('keeps names, owners and values letter for letter', async ({ leases, name }) => {
    for (const suffix of ['a/b c', '日本', '"; DROP', '%2F', 'a/../b', '<img src=x onerror=1>', "o'clock"]) {
      const odd = `${name}/${suffix}`
      await acquired(leases, odd, { owner: `owner ${suffix}`, value: `value ${suffix}` })
      const view = await leases.read(odd)
      assert.deepEqual([view?.name, view?.owner, view?.value], [odd, `owner ${suffix}`, `value ${suffix}`])
    }
  }),

  it('pages through every lease of a prefix once, each one confirmed', async ({ leases, name }) => {
    const names = Array.from({ length: 11 }, (_, i) => `${name}/${i}`)
    await Promise.all(names.map((each) => leases.tryAcquire(each)))
    const seen: string[] = []
    let afterToken: string | undefined
    for (let pages = 0; pages < 20; pages++) {
      const page = await leases.page({
        prefix: `${name}/`,
        limit: 4,
        afterToken,
      })
      assert(page.leases.length <= 4)
      for (const lease of page.leases) {
        assert.equal(lease.read.level, 'SERIAL')
        seen.push(lease.name)
      }
      if (page.nextToken === null) break
      afterToken = page.nextToken
    }
    assert.deepEqual([...seen].sort(), [...names].sort())
  }),

  it('scans rows whose cells are those that a read shows', async ({ leases, plain, clock, name, wait }) => {
    const [partial = '', ...others] = Array.from({ length: 6 }, (_, i) => `${name}/${i}`)
    await Promise.all(others.map((each) => leases.tryAcquire(each, { value: each, ttlSeconds: 60 })))
    const zombie = await outlivingValue(plain, { clock, name: `${name}/zombie` })
    assert.equal(await plain.insertIfNotExists(partial, 'foo', 'v', 60), true)
    assert.equal(await plain.renewOwnerOnly(partial, 'foo', 120), true)
    // A store behind a server lists what the server's last scan saw.
    await wait(7_000)
    const began = clock.now()
    const scanned = new Map<string, ScannedRow>()
    let afterToken: string | undefined
    for (let pages = 0; pages < 500; pages++) {
      const { rows, nextToken } = await leases.scanRows({ limit: 4, afterToken })
      assert(rows.length <= 4)
      for (const row of rows) {
        assert(!scanned.has(row.name), `${row.name} was scanned twice`)
        scanned.set(row.name, row)
      }
      if (nextToken === null) break
      afterToken = nextToken
    }
    for (const each of [zombie, partial, ...others]) {
      const view = await leases.read(each)
      const { cells } = scanned.get(each) as ScannedRow
      assert.deepEqual(
        [cells.owner, cells.value, cells.ownerWritetime],
        [view?.owner, view?.value, view?.version],
      )
      const expiryMs = (ttl: number | null) =>
        ttl === null ? null : (Math.floor(cells.serverNowMs / 1000) + ttl) * 1000
      const pairs = [
        [expiryMs(cells.ownerTtlSeconds), view?.expiresAtMs],
        [expiryMs(cells.valueTtlSeconds), view?.valueExpiresAtMs],
      ]
      // `now()` may be read across the edge of a second, or of more.
      const offMs = 1_000 * edgesSince(began, { clock })
      for (const [found, read] of pairs)
        assert(found === read || Math.abs(Number(found) - Number(read)) <= offMs, `${found} is not ${read}`)
    }
    assert.equal(scanned.get(zombie)?.cells.owner, null)
  }),
]
