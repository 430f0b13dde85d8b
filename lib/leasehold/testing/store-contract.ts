/**
 * The contract of a lease store, as cases that any test runner can loop over. The store in memory and the real
 * Cassandra pass the same ones; what one of them does differently is a bug, or a new fact about Cassandra.
 */
import assert from 'node:assert/strict'
import { LeaseProtocol, type LeaseStore } from '../lease/index.ts'
import { type Clock, systemClock, systemTimer, type Timer, untilDeadlineMs } from '../time/index.ts'

/** A client that speaks plain CQL to the same table. Each method: whether it was applied. */
export interface PlainClient {
  insertIfNotExists(name: string, owner: string, value: string | null, ttlSeconds: number): Promise<boolean>
  renewOwnerOnly(name: string, owner: string, ttlSeconds: number): Promise<boolean>
  setValueOnly(name: string, owner: string, value: string, ttlSeconds: number): Promise<boolean>
  deleteIfOwner(name: string, owner: string): Promise<boolean>
}

export interface ContractHarness {
  store: LeaseStore
  plain: PlainClient
  /** Defaults: the real ones. */
  clock?: Clock
  timer?: Timer
  /** Lets time pass. */
  wait(ms: number): Promise<void>
}

interface Setup extends ContractHarness {
  leases: LeaseProtocol
  /** A name that no other case uses. */
  name: string
}

export interface ContractCase {
  title: string
  run(harness: ContractHarness): Promise<void>
}

let cases = 0
const it = (title: string, body: (setup: Setup) => Promise<void>): ContractCase => ({
  title,
  run: async (harness) => {
    const { store, clock = systemClock, timer = systemTimer } = harness
    const leases = new LeaseProtocol({
      store,
      clock,
      timer,
      maxClockSkewMs: 100,
      defaultTtlSeconds: 30,
      paxosVariant: 'v2',
    })
    await body({ ...harness, leases, name: `contract/${process.pid}/${Date.now().toString(36)}/${++cases}` })
  },
})

const acquired = async (
  leases: LeaseProtocol,
  name: string,
  options: Parameters<LeaseProtocol['acquire']>[1] = {},
) => {
  const outcome = await leases.acquire(name, options)
  assert(outcome.kind === 'acquired', `expected acquired, got ${outcome.kind}`)
  return outcome.tenure
}

export const storeContract: ContractCase[] = [
  it('acquires a missing row, and tells a rival who holds it', async ({ leases, name }) => {
    const tenure = await acquired(leases, name, { owner: 'one', value: 'v' })
    const rival = await leases.acquire(name, { owner: 'two' })
    assert.deepEqual(rival, { kind: 'held', owner: 'one' })
    const view = await leases.read(name)
    assert.equal(view?.owner, 'one')
    assert.equal(view?.value, 'v')
    assert.equal(view?.version, tenure.token)
    assert.equal(view?.ttlSeconds === 30 || view?.ttlSeconds === 29, true, `ttl ${view?.ttlSeconds}`)
  }),

  it('lets one of sixteen contenders win', async ({ leases, name }) => {
    const outcomes = await Promise.allSettled(Array.from({ length: 16 }, () => leases.acquire(name)))
    const winners = outcomes.filter((o) => o.status === 'fulfilled' && o.value.kind === 'acquired')
    const view = await leases.read(name)
    assert(winners.length <= 1, `${winners.length} winners`)
    // An answer may be lost under contention; whoever is shown then is the one whose outcome was unknown.
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

  it('expires at a whole second, after the deadline of the holder', async ({
    leases,
    name,
    clock = systemClock,
    wait,
  }) => {
    for (const offsetMs of [0, 310, 640]) {
      await wait(offsetMs)
      const tenure = await acquired(leases, `${name}/${offsetMs}`, { ttlSeconds: 2 })
      const view = await leases.read(tenure.name)
      assert(view?.expiresAtMs != null)
      assert.equal(view.expiresAtMs % 1000, 0)
      // Until the deadline, Cassandra shows it.
      await wait(Math.max(0, untilDeadlineMs(tenure.deadline, clock.now()) - 20))
      assert.equal((await leases.read(tenure.name))?.owner, tenure.owner)
      // Past the expiry, it does not.
      await wait(Math.max(0, view.expiresAtMs - clock.now().wallMs + 150))
      assert.equal(await leases.read(tenure.name), null)
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
    assert.deepEqual(await leases.acquire(name), { kind: 'held', owner: 'foo' })
    assert.equal(await plain.renewOwnerOnly(name, 'foo', 30), true)
    assert.equal(await plain.deleteIfOwner(name, 'foo'), true)
    await acquired(leases, name)
  }),

  it('shows a row whose value outlived its owner as a zombie, and acquires it', async ({
    leases,
    plain,
    name,
    wait,
  }) => {
    assert.equal(await plain.insertIfNotExists(name, 'foo', 'v', 2), true)
    assert.equal(await plain.setValueOnly(name, 'foo', 'longer', 60), true)
    await wait(2_300)
    const zombie = await leases.read(name)
    assert(zombie !== null, 'the row is still there')
    assert.equal(zombie.owner, null)
    assert.equal(zombie.version, null)
    assert.equal(zombie.value, 'longer')
    assert.equal(
      await plain.insertIfNotExists(name, 'bar', null, 30),
      false,
      'plain clients are locked out by it',
    )
    await acquired(leases, name, { owner: 'mine' })
    assert.equal((await leases.read(name))?.owner, 'mine')
  }),

  it('acquires a row of which only the marker is left', async ({ leases, plain, name, wait }) => {
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

  it('kills the planned holder alone', async ({ leases, name }) => {
    const tenure = await acquired(leases, name, { owner: 'old' })
    assert.equal((await leases.renew(tenure)).kind, 'renewed')
    assert.deepEqual(await leases.kill({ name, owner: 'old' }), { kind: 'released' })
    assert.deepEqual(await leases.kill({ name, owner: 'old' }), {
      kind: 'holder-changed',
      owner: null,
      current: null,
    })
    await acquired(leases, name, { owner: 'new' })
    const refused = await leases.kill({ name, owner: 'old' })
    assert(refused.kind === 'holder-changed' && refused.current?.owner === 'new')
    assert.equal((await leases.read(name))?.owner, 'new')
    assert.deepEqual(await leases.renew(tenure), { kind: 'lost', why: 'not-holder', owner: 'new' })
  }),

  it('quarantines the planned holder’s lease alone, and lets nobody in', async ({
    leases,
    plain,
    store,
    name,
  }) => {
    const tenure = await acquired(leases, name, { owner: 'old', value: 'v', ttlSeconds: 20 })
    assert.equal((await leases.renew(tenure)).kind, 'renewed')
    assert.deepEqual(
      await store.quarantine({
        name,
        owner: 'stranger',
        mark: '!quarantine:p0',
        value: null,
        ttlSeconds: 30,
      }),
      { applied: false, found: { owner: 'old' } },
    )
    const steps: string[] = []
    const outcome = await leases.break({ name, owner: 'old' }, { id: 'p1', value: 'by ana' }, ({ step }) =>
      steps.push(step),
    )
    assert(outcome.kind === 'broken' && outcome.view !== null)
    assert.deepEqual(steps, ['re-read', 'sent', 'answered'])
    const { view } = outcome
    assert.deepEqual([view.owner, view.value], ['!quarantine:p1', 'by ana'])
    assert.equal(outcome.safeAtMs, view.expiresAtMs)
    assert.equal(view.expiresAtMs, view.valueExpiresAtMs)
    // 20 s as read, perhaps one less by the edge of a second; 4 s; twice 100 ms, rounded up.
    assert(view.ttlSeconds !== null && view.ttlSeconds >= 23 && view.ttlSeconds <= 25, `${view.ttlSeconds}`)
    assert.deepEqual(await leases.acquire(name), { kind: 'held', owner: '!quarantine:p1' })
    assert.equal(await plain.insertIfNotExists(name, 'foo', null, 30), false)
    assert.deepEqual(await leases.renew(tenure), { kind: 'lost', why: 'not-holder', owner: '!quarantine:p1' })
    assert.deepEqual(await leases.release(tenure), { kind: 'notHeld', owner: '!quarantine:p1' })
    const again = await leases.break({ name, owner: 'old' }, { id: 'p2' })
    assert(again.kind === 'holder-changed' && again.owner === '!quarantine:p1')
    assert.equal((await leases.break({ name, owner: 'old' }, { id: 'p1' })).kind, 'broken')
    assert.deepEqual(await leases.break({ name: `${name}/none`, owner: 'old' }, { id: 'p3' }), {
      kind: 'holder-changed',
      owner: null,
      current: null,
    })
    assert.deepEqual(
      await store.quarantine({
        name: `${name}/none`,
        owner: 'old',
        mark: '!quarantine:p3',
        value: null,
        ttlSeconds: 30,
      }),
      { applied: false, found: null },
    )
  }),

  it('leaves nothing of a row behind when its quarantine expires', async ({
    plain,
    store,
    leases,
    name,
    wait,
  }) => {
    // Its value and its marker would outlive the mark by a minute, and lock plain clients out.
    assert.equal(await plain.insertIfNotExists(name, 'foo', 'v', 60), true)
    assert.deepEqual(
      await store.quarantine({ name, owner: 'foo', mark: '!quarantine:p', value: null, ttlSeconds: 2 }),
      { applied: true },
    )
    const quarantined = await leases.read(name)
    assert.deepEqual([quarantined?.owner, quarantined?.value], ['!quarantine:p', null])
    await wait(2_300)
    assert.equal(await leases.read(name), null)
    assert.equal(await plain.insertIfNotExists(name, 'bar', null, 30), true)
  }),

  it('keeps a row with a short marker from plain clients until its quarantine expires', async ({
    plain,
    store,
    leases,
    name,
    wait,
  }) => {
    assert.equal(await plain.insertIfNotExists(name, 'foo', null, 2), true)
    assert.deepEqual(
      await store.quarantine({ name, owner: 'foo', mark: '!quarantine:p', value: 'why', ttlSeconds: 5 }),
      { applied: true },
    )
    await wait(2_300)
    assert.equal(await plain.insertIfNotExists(name, 'bar', null, 30), false)
    assert.equal((await leases.acquire(name)).kind, 'held')
  }),

  it('hints at who holds it, and with which value', async ({ leases, store, name }) => {
    assert.equal(await store.hint(name), null)
    const tenure = await acquired(leases, name)
    assert.deepEqual(await store.hint(name), { owner: tenure.owner, value: null })
    const renewed = await leases.renew(tenure, { value: 'next' })
    assert.equal(renewed.kind, 'renewed')
    assert.deepEqual(await store.hint(name), { owner: tenure.owner, value: 'next' })
    await leases.release(tenure)
    assert.equal(await store.hint(name), null)
  }),

  it('hints at a zombie: a row without an owner', async ({ plain, store, name, wait }) => {
    assert.equal(await plain.insertIfNotExists(name, 'foo', 'v', 2), true)
    assert.equal(await plain.setValueOnly(name, 'foo', 'longer', 60), true)
    await wait(2_300)
    assert.deepEqual(await store.hint(name), { owner: null, value: 'longer' })
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
    await Promise.all(names.map((each) => leases.acquire(each)))
    const seen: string[] = []
    let afterToken: string | undefined
    for (let pages = 0; pages < 20; pages++) {
      const page = await leases.page({
        prefix: `${name}/`,
        limit: 4,
        ...(afterToken !== undefined && { afterToken }),
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
]
