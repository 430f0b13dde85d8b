import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const metrics = (more: Record<string, string>) =>
  readConfig({ CASSANDRA_CONTACT_POINTS: '10.0.0.1', ...more }).metrics
const leases = (list: string, more: Record<string, string> = {}) =>
  metrics({ LEASEHOLD_METRICS_LEASES: list, ...more }).leases

describe('the leases that have metrics', () => {
  it('are none unless they are named', () => {
    expect(metrics({})).toEqual({ token: undefined, leases: [] })
  })

  it('are names with commas between them, of the table leases', () => {
    expect(leases('billing/leader, cron:nightly,')).toEqual([
      { table: 'leases', name: 'billing/leader' },
      { table: 'leases', name: 'cron:nightly' },
    ])
  })

  it('are JSON, where a name has a comma or is of a mapped table', () => {
    const LEASEHOLD_CONFIG = JSON.stringify({
      tables: { cron: { table: 'cron', name: 'lockname', owner: null } },
    })
    expect(leases('["a, b", {"table": "cron", "name": "nightly"}]', { LEASEHOLD_CONFIG })).toEqual([
      { table: 'leases', name: 'a, b' },
      { table: 'cron', name: 'nightly' },
    ])
  })

  it.each([
    ['[{"table": "cron", "name": "nightly"}]', 'no table has the id "cron"'],
    ['["a"', 'is not JSON'],
    ['["a", 1]', 'is not a list of at most 50 names'],
    [Array.from({ length: 51 }, (_, i) => `lease-${i}`).join(','), 'is not a list of at most 50 names'],
    ['ü'.repeat(257), 'of 1 to 512 bytes'],
    ['a, b, a', 'names a lease twice'],
  ])('cannot be %s', (list, message) => {
    expect(() => leases(list)).toThrow(message)
  })
})

it.each([
  ['short', 'LEASEHOLD_METRICS_TOKEN is shorter than 16 characters'],
  ['sixteen and a space', 'LEASEHOLD_METRICS_TOKEN has a character that no header can carry'],
])('the token of scrapers cannot be %s', (LEASEHOLD_METRICS_TOKEN, message) => {
  expect(() => metrics({ LEASEHOLD_METRICS_TOKEN })).toThrow(message)
})
