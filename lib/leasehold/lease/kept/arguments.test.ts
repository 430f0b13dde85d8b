/** What is refused before anything is sent, with the numbers in the sentence. */
import { expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
import { LeaseProtocol, Leases } from '../index.ts'

const clock = new FakeClock()
const store = new MemoryLeaseStore(clock)
const options = { store, clock, timer: clock, maxClockSkewMs: 100 }

it.each([
  [Number.NaN, 'waitMs is NaN'],
  [-1, 'waitMs is -1'],
  [Number.NEGATIVE_INFINITY, 'waitMs is -Infinity'],
])('a waitMs of %s', async (waitMs, sentence) => {
  const acquired = new Leases(options).acquire('job', { waitMs })
  await expect(acquired).rejects.toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining(sentence),
  })
})

it.each([
  [Number.NaN, 'settleMs is NaN'],
  [-5, 'settleMs is -5'],
])('a settleMs of %s', (settleMs, sentence) => {
  expect(() => new Leases({ ...options, settleMs })).toThrow(sentence)
  expect(() => new LeaseProtocol({ ...options, settleMs })).toThrow(sentence)
})

it.each([Number.NaN, 0, 99, '1000'])('a pause of %s between two looks', async (value) => {
  const idleHintEveryMs = value as number
  const sentence = `idleHintEveryMs is ${value}; 100 or more is expected, in milliseconds.`
  await expect(new Leases(options).acquire('job', { idleHintEveryMs })).rejects.toThrow(sentence)
  expect(() => new Leases(options).watch('job', { idleHintEveryMs })).toThrow(sentence)
})

it('an option of a watch that there is not', () => {
  const wrong = { hintEveryMs: 100 } as object
  expect(() => new Leases(options).watch('job', wrong)).toThrow('There is no option "hintEveryMs"')
})

it('a default TTL that cannot be kept alive', () => {
  expect(() => new Leases({ ...options, defaultTtlSeconds: 3 })).toThrow(
    /A TTL of 3 s is too short to be kept alive: 6 s or more/,
  )
})

it('a TTL of twenty years, which Cassandra would refuse', async () => {
  const ttlSeconds = 20 * 365 * 86_400
  const sentence = 'ttlSeconds is 630720000; 2 to 31536000 are allowed.'
  await expect(new LeaseProtocol(options).tryAcquire('job', { ttlSeconds })).rejects.toThrow(sentence)
  await expect(new Leases(options).acquire('job', { ttlSeconds })).rejects.toThrow(sentence)
  expect(() => new Leases({ ...options, defaultTtlSeconds: ttlSeconds })).toThrow(sentence)
})

it('a value in a table that has no column for it, which would be dropped', async () => {
  const narrow = new MemoryLeaseStore(clock, { owner: true, value: false })
  const leases = new Leases({ ...options, store: narrow })
  const sentence = 'This table has no value column; leave the value out.'
  await expect(leases.acquire('job', { value: 'v' })).rejects.toThrow(sentence)
  await expect(leases.tryAcquire('job', { value: 'v' })).rejects.toThrow(sentence)
  await expect(leases.protocol.tryAcquire('job', { value: 'v' })).rejects.toThrow(sentence)
  await expect(leases.protocol.tryAcquire('job', { value: '' })).rejects.toThrow(sentence)
  expect(narrow.sent).toBe(0)

  const lease = await clock.run(leases.acquire('job'))
  await expect(lease.update('v')).rejects.toThrow(sentence)
  await expect(leases.protocol.renew(lease.tenure, { value: 'v' })).rejects.toThrow(sentence)
  await clock.run(lease.update(null))
  expect(lease.value).toBeNull()
})

it('none of it reached the store', () => {
  expect(store.sent).toBe(0)
})
