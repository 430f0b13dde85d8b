import { expect, it } from 'vitest'
import { lockRequestSchema } from '../../../lib/contract/programs/lock.ts'
import { newLeaseIssues, ttlLimits } from './new-lease-check.ts'

const check = (over: object) => newLeaseIssues({ name: 'a', ttl: '60', value: '', ...over })

it('says what is wrong in the words of the labels', () => {
  expect(check({})).toEqual({})
  expect(check({ ttl: ' 60 ' })).toEqual({})
  expect(check({ name: '' }).name).toBe('The name is empty; 1 to 512 bytes are allowed.')
  expect(check({ name: 'x'.repeat(513) }).name).toBe('The name is 513 bytes long; 512 are allowed.')
  expect(check({ name: '..' }).name).toContain('cannot stand in the path')
  expect(check({ ttl: '' }).ttl).toBe('The time to live is empty; 2 to 31,536,000 seconds are allowed.')
  for (const ttl of ['ten', '-1', '2.5', '0x10', '1e2', '٦٠'])
    expect(check({ ttl }).ttl, ttl).toContain('whole seconds, in digits alone')
  expect(check({ ttl: '1' }).ttl).toContain('below 2 seconds')
  expect(check({ ttl: '31536001' }).ttl).toContain('above 31,536,000 seconds')
  expect(check({ value: 'x'.repeat(16 * 1024 + 1) }).value).toContain('16385 bytes')
})

it('allows what the contract allows', () => {
  const allowed = (ttlSeconds: number) => lockRequestSchema.safeParse({ ttlSeconds }).success
  const { min, max } = ttlLimits
  expect([min - 1, min, max, max + 1].map(allowed)).toEqual([false, true, true, false])
})
