/** Tries of a request end with the time for which its permission counts. */
import { StatementUnknownError } from 'leasehold/lease'
import { expect, it } from 'vitest'
import { actAfterPermitMs } from '../../../http/act-window.ts'
import { locking } from './test-locking.ts'

it.each([{ acquireOnly: true }, {}])('no write is sent a minute after the request came (%o)', async (how) => {
  const { clock, store, put } = locking()
  const startedMs = clock.now().monotonicMs
  const sentMs: number[] = []
  const { acquire, read } = store
  store.acquire = async (write) => {
    sentMs.push(clock.now().monotonicMs - startedMs)
    // It contends, and is refused; its holder is gone before the server reads.
    if (sentMs.length > 2) throw new StatementUnknownError('by order of the test', 'read')
    await clock.sleep(19_000)
    const owner = `other-${sentMs.length}`
    store.plain.insertIfNotExists('job', owner, null, 60)
    const answer = await acquire.call(store, write)
    await store.release({ name: 'job', owner })
    return answer
  }
  store.read = async (name) => {
    await clock.sleep(9_000)
    return read.call(store, name)
  }
  await clock.run(put({ owner: 'worker-1', ...how }).catch(() => {}))
  expect(sentMs.length).toBeGreaterThan(0)
  expect(Math.max(...sentMs)).toBeLessThanOrEqual(actAfterPermitMs)
})

it.each([{ acquireOnly: true }, { renewOnly: true }])(
  'nothing is sent by a process that was stopped since (%o)',
  async (how) => {
    const { clock, store, put } = locking()
    const { sent } = store
    const late = put({ owner: 'worker-1', ...how }, undefined, actAfterPermitMs + 1)
    await expect(clock.run(late)).rejects.toMatchObject({ code: 'too-late' })
    expect(store.sent).toBe(sent)
  },
)

it('a renewal that was applied before the process was stopped is no answer that nothing was done', async () => {
  const { clock, store, put } = locking()
  store.plain.insertIfNotExists('job', 'worker-1', null, 60)
  const { readWritten } = store
  store.readWritten = async (name) => {
    // The lease is over when it is read.
    clock.suspend(actAfterPermitMs + 1)
    return readWritten.call(store, name)
  }
  const renewed = put({ owner: 'worker-1', ttlSeconds: 10, renewOnly: true })
  await expect(clock.run(renewed)).rejects.toMatchObject({ code: 'outcome-unknown' })
})
