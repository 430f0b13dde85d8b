import { StoreRefusedError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it, vi } from 'vitest'
import { log } from '../http/log/log.ts'
import { slowStart } from './slow-start.ts'

const clock = new FakeClock()
const asking = () => slowStart({ clock, timer: clock, log: log.child({}, { level: 'silent' }) })

it('a step that Cassandra did not answer in time is run again, and its result is that of the last run', async () => {
  const step = vi.fn().mockRejectedValueOnce(new StoreUnavailableError('slow')).mockResolvedValue('read')
  expect(await clock.run(asking()(step))).toBe('read')
  expect(step).toHaveBeenCalledTimes(2)
})

it('for a minute from the beginning of the start, whatever the number of steps', async () => {
  const askAgain = asking()
  const began = clock.now().monotonicMs
  const slow = async () => {
    await clock.sleep(10_000)
    throw new StoreUnavailableError('slow')
  }
  await expect(clock.run(askAgain(slow))).rejects.toThrow('slow')
  expect(clock.now().monotonicMs - began).toBeLessThanOrEqual(70_500)
  const step = vi.fn().mockRejectedValue(new StoreUnavailableError('slow'))
  await expect(clock.run(askAgain(step))).rejects.toThrow('slow')
  expect(step).toHaveBeenCalledTimes(1)
})

const withCode = (code: string | number) =>
  new StoreUnavailableError(String(code), { cause: Object.assign(new Error(), { code }) })

it.each([
  withCode('ETIMEDOUT'),
  withCode(0x1200),
  new StoreUnavailableError('silent', { cause: new Error() }),
])('asks again: %s', async (error) => {
  const step = vi.fn().mockRejectedValueOnce(error).mockResolvedValue('read')
  expect(await clock.run(asking()(step))).toBe('read')
})

it.each([
  new StoreRefusedError('no such table'),
  withCode('ECONNREFUSED'),
  withCode('DEPTH_ZERO_SELF_SIGNED_CERT'),
  withCode('ERR_SSL_WRONG_VERSION_NUMBER'),
  new Error('a bug'),
])('ends at once: %s', async (error) => {
  const step = vi.fn().mockRejectedValue(error)
  await expect(clock.run(asking()(step))).rejects.toBe(error)
  expect(step).toHaveBeenCalledTimes(1)
})
