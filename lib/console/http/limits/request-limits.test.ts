import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HttpProblem } from '../http-problem.ts'
import type { Log } from '../log/log.ts'
import {
  addressKey,
  addressPerSecond,
  costlyPerSecond,
  RequestLimits,
  senderPerSecond,
} from './request-limits.ts'

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
  it('lets a valid sender pass, although others at its address send too much', async () => {
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

  it('forgets a credential that is no longer valid', async () => {
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

  it('lets an address without a session ask for a few costly answers, and go on with others', async () => {
    const limits = new RequestLimits(log)
    const costly = async (
      count: number,
      sender: string | null,
      device = async () => null as string | null,
    ) => {
      const taken = Array.from({ length: count }, () => limits.takeCostly(sender, '192.0.2.1', device))
      return (await Promise.allSettled(taken)).filter(({ status }) => status === 'fulfilled').length
    }
    expect(await costly(100, null)).toBe(costlyPerSecond)
    expect(await costly(100, 'made up')).toBe(0)
    expect(await passing(limits, 10, null, '192.0.2.1')).toBe(10)
    await limits.proving('valid', valid)
    // A valid one has as many for itself, whatever strangers at its address do.
    expect(await costly(100, 'valid')).toBe(costlyPerSecond)
    expect(await passing(limits, 10, 'valid', '192.0.2.1')).toBe(10)
    // Strangers at the same address do not keep out the browser of a person who signed in from it before.
    expect(await costly(1, null, async () => 'device')).toBe(1)
  })

  it('lets a known browser sign in while strangers use up the requests of its address', async () => {
    const limits = new RequestLimits(log)
    await passing(limits, 1000, null, '192.0.2.1')
    const known = async () => 'device'
    await expect(limits.take(null, '192.0.2.1', known)).resolves.toBeUndefined()
    for (let i = 0; i < costlyPerSecond; i++) await limits.take(null, '192.0.2.1', known).catch(() => {})
    await expect(limits.take(null, '192.0.2.1', known)).rejects.toMatchObject({ code: 'too-many-requests' })
  })

  it('answers with a Retry-After, and admits a request after it; one log line a window', async () => {
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
