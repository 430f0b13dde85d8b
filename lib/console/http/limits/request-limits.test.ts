import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HttpProblem } from '../http-problem.ts'
import type { Log } from '../log/log.ts'
import { addressKey, addressPerSecond, RequestLimits, senderPerSecond } from './request-limits.ts'

const lines: unknown[] = []
const log = { warn: (fields: unknown) => lines.push(fields) } as unknown as Log
const valid = async () => 'ann'
const invalid = () => Promise.reject(new HttpProblem('unauthenticated', ''))

/** How many of `count` requests pass. */
async function passing(limits: RequestLimits, count: number, sender: string | null, address: string) {
  const taken = await Promise.allSettled(Array.from({ length: count }, () => limits.take(sender, address)))
  return taken.filter(({ status }) => status === 'fulfilled').length
}

beforeEach(() => {
  vi.useFakeTimers()
  lines.length = 0
})
afterEach(() => {
  vi.useRealTimers()
})

describe('limits of requests', () => {
  it('lets a valid sender go on, whatever comes from its address', async () => {
    const limits = new RequestLimits(log)
    await limits.proving('valid', valid)
    expect(await passing(limits, 1000, null, '192.0.2.1')).toBe(addressPerSecond)
    expect(await passing(limits, 1000, 'valid', '192.0.2.1')).toBe(senderPerSecond)
  })

  it('counts made-up credentials by their address', async () => {
    const limits = new RequestLimits(log)
    let passed = 0
    for (let i = 0; i < 1000; i++) passed += await passing(limits, 1, `made up ${i}`, '192.0.2.1')
    expect(passed).toBe(addressPerSecond)
    expect(await passing(limits, 1, 'made up', '192.0.2.2')).toBe(1)
  })

  it('knows a credential no longer when it is not valid any more', async () => {
    const limits = new RequestLimits(log)
    await limits.proving('token', valid)
    await expect(limits.proving('token', invalid)).rejects.toThrow()
    expect(await passing(limits, 1000, 'token', '192.0.2.1')).toBe(addressPerSecond)
  })

  it('keeps a credential that could not be checked', async () => {
    const limits = new RequestLimits(log)
    await limits.proving('token', valid)
    await expect(limits.proving('token', () => Promise.reject(new Error('no quorum')))).rejects.toThrow()
    expect(await passing(limits, 1000, 'token', '192.0.2.1')).toBe(senderPerSecond)
  })

  it('says when to come again, and lets it pass then; one line a window', async () => {
    const limits = new RequestLimits(log)
    await passing(limits, addressPerSecond + 50, null, '192.0.2.1')
    await expect(limits.take(null, '192.0.2.1')).rejects.toMatchObject({
      code: 'too-many-requests',
      headers: { 'Retry-After': '1' },
    })
    expect(lines).toEqual([{ act: 'rate-limit', address: '192.0.2.1', perSecond: addressPerSecond }])
    await vi.advanceTimersByTimeAsync(1000)
    await expect(limits.take(null, '192.0.2.1')).resolves.toBeUndefined()
  })
})

it('takes a /64 of IPv6 for one address', () => {
  expect(addressKey('2001:db8:0:7:a:b:c:d')).toBe('2001:db8:0:7')
  expect(addressKey('2001:db8:0:7::1')).toBe('2001:db8:0:7')
  expect(addressKey('2001:db8::1')).toBe('2001:db8:0:0')
  expect(addressKey('::1')).toBe('0:0:0:0')
  expect(addressKey('fe80::1%eth0')).toBe('fe80:0:0:0')
  expect(addressKey('192.0.2.1')).toBe('192.0.2.1')
})
