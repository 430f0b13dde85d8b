/** A lock that changes hands between each try of the server and the read after it. */
import { MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { locking } from './test-locking.ts'

let all: ReturnType<typeof locking>
beforeEach(() => {
  all = locking()
})
const put = (owner?: string) => all.clock.run(all.put({ owner, ttlSeconds: 60 }))

/** Others hold it when the server tries, and have released it when the server reads. */
function changesHands(): void {
  const { store } = all
  const { acquire } = store
  let times = 0
  store.acquire = async (write) => {
    const owner = `other-${++times}`
    store.plain.insertIfNotExists('job', owner, null, 60)
    const answer = await acquire.call(store, write)
    await store.release({ name: 'job', owner })
    return answer
  }
}

it.each([undefined, 'mine'])('names the holder of the last try, for the owner %s', async (owner) => {
  changesHands()
  expect(await put(owner)).toEqual({ kind: 'raced', holder: 'other-3' })
})

it('does not name the caller’s own owner, whose lease ends before each renewal: the outcome is unknown', async () => {
  all.store.plain.insertIfNotExists('job', 'mine', null, 60)
  all.store.renew = async () => {
    await all.store.release({ name: 'job', owner: 'mine' })
    all.store.plain.insertIfNotExists('job', 'mine', null, 60)
    return { applied: false, found: null }
  }
  await expect(put('mine')).rejects.toMatchObject({ code: 'outcome-unknown', owner: 'mine' })
})

it('does not name the caller’s own owner either, where a refused try met it and its lease ended before the read', async () => {
  all.store.acquire = async () => ({ applied: false, found: { owner: 'mine' } })
  await expect(put('mine')).rejects.toMatchObject({ code: 'outcome-unknown', owner: 'mine' })
})

describe('when Cassandra is silent after a statement that may have taken effect, the outcome is unknown', () => {
  const unknown = { code: 'outcome-unknown', owner: 'mine' }
  /** After one read that is answered, the statements of this kind are not. */
  function silentAfterOneRead(silent: 'read' | 'acquire'): void {
    let reads = 0
    all.store.fault = (kind) => {
      if (kind === 'read') reads += 1
      return kind === silent && (kind !== 'read' || reads > 1) ? { kind: 'unavailable' } : undefined
    }
  }

  it.each([false, true])('a renewal was applied, and ended since, with renewOnly: %s', async (renewOnly) => {
    const { store, clock } = all
    store.plain.insertIfNotExists('job', 'mine', null, 60)
    const { renew } = store
    const applied: boolean[] = []
    store.renew = async (write) => {
      const answer = await renew.call(store, write)
      applied.push(answer.applied)
      return answer
    }
    store.readWritten = async () => {
      await store.release({ name: 'job', owner: 'mine' })
      const read = await store.read('job')
      silentAfterOneRead('read')
      return read
    }
    const renewed = all.put({ owner: 'mine', ttlSeconds: 60, renewOnly })
    await expect(clock.run(renewed)).rejects.toMatchObject(unknown)
    expect(applied.at(-1)).toBe(true)
  })

  it.each(['read', 'acquire'] as const)('a refused try met the caller’s own owner: %s', async (silent) => {
    const { store } = all
    store.acquire = async () => {
      silentAfterOneRead(silent)
      store.acquire = MemoryLeaseStore.prototype.acquire
      return { applied: false, found: { owner: 'mine' } }
    }
    await expect(put('mine')).rejects.toMatchObject(unknown)
  })
})
