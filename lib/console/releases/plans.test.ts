import { expect, it } from 'vitest'
import type { Lease } from '../../contract/lease.ts'
import { Plans } from './plans.ts'

const lease: Lease = {
  table: 'leases',
  name: 'a/b',
  owner: 'o',
  value: null,
  state: 'held',
  version: '1',
  writtenAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:00:30.000Z',
  remainingMs: 30_000,
  valueRemainingMs: null,
  ttlSeconds: 30,
  read: { level: 'SERIAL', at: '2026-01-01T00:00:00.000Z' },
}
let nowMs = 1_000_000
const plans = new Plans(Buffer.alloc(32, 1), () => nowMs)

it('comes back as it was made, for 60 s', () => {
  const { plan, signed } = plans.make('admin', lease)
  expect(plans.open(signed)).toEqual({ kind: 'plan', plan })
  nowMs += 59_999
  expect(plans.open(signed).kind).toBe('plan')
  nowMs += 1
  expect(plans.open(signed).kind).toBe('expired')
})

it('is invalid when a byte of it was changed, under another key, and when it is anything else', () => {
  const { signed } = plans.make('admin', lease)
  for (let i = 0; i < signed.length; i += 7) {
    const other = signed[i] === 'A' ? 'B' : 'A'
    const changed = `${signed.slice(0, i)}${other}${signed.slice(i + 1)}`
    // The last character of base64 may carry unused bits; the text is compared, not the bytes.
    expect(plans.open(changed).kind, `at ${i}`).toBe('invalid')
  }
  expect(new Plans(Buffer.alloc(32, 2), () => nowMs).open(signed).kind).toBe('invalid')
  for (const junk of ['', '.', 'a.b', signed.split('.')[0] as string, `${signed}.x`.replace('.', '..')])
    expect(plans.open(junk).kind, junk).toBe('invalid')
})
