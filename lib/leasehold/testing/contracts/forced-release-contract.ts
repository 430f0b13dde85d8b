/** The part of a lease store's contract on which breaking and killing a lease depend. */
import assert from 'node:assert/strict'
import { Operator } from '../../operator/index.ts'
import { acquired, type ContractCase, edgesSince, it, writtenWithin } from './contract-case.ts'

export const forcedReleaseContract: ContractCase[] = [
  it('kills the planned holder alone', async ({ leases, name }) => {
    const tenure = await acquired(leases, name, { owner: 'old' })
    assert.equal((await leases.renew(tenure)).kind, 'renewed')
    const killed = { kind: 'released', current: null }
    assert.deepEqual(await new Operator(leases).kill({ name, owner: 'old' }), killed)
    assert.deepEqual(await new Operator(leases).kill({ name, owner: 'old' }), {
      kind: 'holder-changed',
      owner: null,
      current: null,
    })
    await acquired(leases, name, { owner: 'new' })
    const refused = await new Operator(leases).kill({ name, owner: 'old' })
    assert(refused.kind === 'holder-changed' && refused.current?.owner === 'new')
    assert.equal((await leases.read(name))?.owner, 'new')
    assert.deepEqual(await leases.renew(tenure), { kind: 'lost', why: 'not-holder', owner: 'new' })
  }),

  it('quarantines the planned holder’s lease alone, and lets no owner acquire it', async ({
    leases,
    plain,
    store,
    clock,
    name,
  }) => {
    const began = clock.now()
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
    const outcome = await new Operator(leases).break(
      { name, owner: 'old' },
      { id: 'p1', value: 'by ana' },
      ({ step }) => steps.push(step),
    )
    assert(outcome.kind === 'broken' && outcome.view !== null)
    assert.deepEqual(steps, ['re-read', 'sent', 'answered'])
    const { view } = outcome
    assert.deepEqual([view.owner, view.value], ['!quarantine:p1', 'by ana'])
    assert.equal(outcome.safeAtMs, view.expiresAtMs)
    assert.equal(view.expiresAtMs, view.valueExpiresAtMs)
    // 20 s; 4 s of margin, 12 s under Paxos v1; twice 100 ms of skew; rounded up. The holder's TTL and the mark's are each read
    // a second short if the write crossed the edge of a second, and a second long if the read did; more, if they took that long.
    const markSeconds = store.paxosVariant === 'v1' ? 33 : 25
    const offSeconds = 2 * edgesSince(began, { clock })
    assert(Math.abs((view.ttlSeconds ?? 0) - markSeconds) <= offSeconds, `${view.ttlSeconds}`)
    assert.deepEqual(await leases.tryAcquire(name), { kind: 'held', owner: '!quarantine:p1' })
    assert.equal(await plain.insertIfNotExists(name, 'foo', null, 30), false)
    assert.deepEqual(await leases.renew(tenure), { kind: 'lost', why: 'not-holder', owner: '!quarantine:p1' })
    assert.deepEqual(await leases.release(tenure), { kind: 'notHeld', owner: '!quarantine:p1' })
    const again = await new Operator(leases).break({ name, owner: 'old' }, { id: 'p2' })
    assert(again.kind === 'holder-changed' && again.owner === '!quarantine:p1')
    assert.equal((await new Operator(leases).break({ name, owner: 'old' }, { id: 'p1' })).kind, 'broken')
    assert.deepEqual(await new Operator(leases).break({ name: `${name}/none`, owner: 'old' }, { id: 'p3' }), {
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
    wait,
    ...unnamed
  }) => {
    const name = await writtenWithin(3_500, unnamed, async (each) => {
      // Its value and its marker would outlive the mark by a minute, and lock plain clients out.
      assert.equal(await plain.insertIfNotExists(each, 'foo', 'v', 60), true)
      const mark = { name: each, owner: 'foo', mark: '!quarantine:p', value: null, ttlSeconds: 5 }
      assert.deepEqual(await store.quarantine(mark), { applied: true })
      const quarantined = await leases.read(each)
      assert.deepEqual([quarantined?.owner, quarantined?.value], ['!quarantine:p', null])
    })
    await wait(5_300)
    assert.equal(await leases.read(name), null)
    assert.equal(await plain.insertIfNotExists(name, 'bar', null, 30), true)
  }),

  it('keeps a row with a short marker from plain clients until its quarantine expires', async ({
    plain,
    store,
    leases,
    wait,
    ...unnamed
  }) => {
    const name = await writtenWithin(2_500, unnamed, async (each) => {
      assert.equal(await plain.insertIfNotExists(each, 'foo', null, 4), true)
      const mark = { name: each, owner: 'foo', mark: '!quarantine:p', value: 'why', ttlSeconds: 20 }
      assert.deepEqual(await store.quarantine(mark), { applied: true })
    })
    await wait(4_300)
    assert.equal(await plain.insertIfNotExists(name, 'bar', null, 30), false)
    assert.equal((await leases.tryAcquire(name)).kind, 'held')
  }),
]

/** For a store over a server, which breaks and kills a lease by a release plan alone. */
export const noForcedReleaseContract: ContractCase[] = [
  it('refuses to quarantine and to kill a lease, and leaves it as it is', async ({ leases, store, name }) => {
    const tenure = await acquired(leases, name, { owner: 'old', value: 'v' })
    const write = { name, owner: 'old', mark: '!quarantine:p', value: null, ttlSeconds: 30 }
    await assert.rejects(store.quarantine(write), { code: 'store-refused' })
    await assert.rejects(new Operator(leases).kill({ name, owner: 'old' }), { code: 'store-refused' })
    const view = await leases.read(name)
    assert.deepEqual([view?.owner, view?.value], ['old', 'v'])
    assert.equal((await leases.renew(tenure)).kind, 'renewed')
  }),
]
