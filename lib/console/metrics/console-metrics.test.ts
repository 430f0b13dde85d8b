import { FakeClock } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../contract/audit.ts'
import { ConsoleMetrics, textForMs } from './console-metrics.ts'
import { scraperOf } from './metrics-handler.ts'
import { parseExposition, sampleOf } from './test-exposition.ts'

let metrics: ConsoleMetrics
beforeEach(() => {
  metrics = new ConsoleMetrics()
})
const scrape = async () => parseExposition(await metrics.registry.metrics())

it('the text is made once a second, however many ask for it', async () => {
  const clock = new FakeClock()
  metrics = new ConsoleMetrics(clock)
  let made = 0
  metrics.registry.metrics = async () => `text ${++made}`
  expect(await Promise.all([metrics.text(), metrics.text()])).toEqual(['text 1', 'text 1'])
  clock.suspend(textForMs - 1)
  expect(await metrics.text()).toBe('text 1')
  clock.suspend(1)
  expect(await metrics.text()).toBe('text 2')
})

describe('the metrics of a console', () => {
  it('are in the text format of Prometheus, before anything has happened too', async () => {
    const families = await scrape()
    expect(families.get('process_resident_memory_bytes')?.type).toBe('gauge')
    expect(sampleOf(families, 'leasehold_build_info', { node: process.versions.node })).toBe(1)
  })

  it('have statements by operation, level and outcome, in seconds', async () => {
    const { telemetry } = metrics
    const write = { operation: 'acquire', kind: 'conditional write', level: 'SERIAL' } as const
    telemetry.statement({ ...write, outcome: 'applied', tookMs: 4 })
    telemetry.statement({ ...write, outcome: 'applied', tookMs: 30 })
    telemetry.statement({ ...write, outcome: 'unknown', tookMs: 20_000 })
    telemetry.statement({ operation: 'scan', kind: 'read', level: 'QUORUM', outcome: 'answered', tookMs: 2 })
    const families = await scrape()
    const applied = { operation: 'acquire', outcome: 'applied' }
    const name = 'leasehold_conditional_write_duration_seconds'
    expect(sampleOf(families, `${name}_bucket`, { ...applied, le: '0.005' })).toBe(1)
    expect(sampleOf(families, `${name}_count`, applied)).toBe(2)
    expect(sampleOf(families, `${name}_sum`, applied)).toBeCloseTo(0.034)
    expect(sampleOf(families, `${name}_count`, { operation: 'acquire', outcome: 'unknown' })).toBe(1)
    expect(sampleOf(families, 'leasehold_read_duration_seconds_count', { level: 'QUORUM' })).toBe(1)
  })

  it('have requests by route and status class, and those that wait apart', async () => {
    const { requests } = metrics
    requests.answered({ route: 'putLock', waits: false }, 201, 3)
    requests.answered({ route: 'putLock', waits: false }, 409, 3)
    requests.answered({ route: null, waits: false }, 404, 1)
    requests.answered({ route: 'getLock', waits: true }, 200, 30_000)
    const families = await scrape()
    const count = (labels: Record<string, string>) =>
      sampleOf(families, 'leasehold_http_request_duration_seconds_count', labels)
    expect(count({ route: 'putLock', status: '2xx' })).toBe(1)
    expect(count({ route: 'putLock', status: '4xx' })).toBe(1)
    expect(count({ route: 'none', status: '4xx' })).toBe(1)
    expect(count({ route: 'getLock' })).toBeUndefined()
    expect(sampleOf(families, 'leasehold_http_waits_total', { route: 'getLock', status: '2xx' })).toBe(1)
  })

  it('have forced releases by mode and outcome, once they are in the audit log', async () => {
    const event = { act: 'release', phase: 'outcome', outcome: 'broken', after: { mode: 'break' } }
    const append = (more: object, ended: 'written' | 'failed' = 'written') =>
      metrics.audit.appended({ ...event, ...more } as AuditEvent, 'main', ended, 12)
    append({})
    append({ phase: 'intent' })
    append({}, 'failed')
    // Without a plan.
    append({ outcome: 'released', after: { outcome: 'released' } })
    append({ after: { mode: 'some text' }, outcome: 'released' })
    const families = await scrape()
    const samples = families.get('leasehold_forced_releases_total')?.samples ?? []
    expect(samples.map(({ labels, value }) => [labels, value])).toEqual([
      [{ mode: 'break', outcome: 'broken' }, 1],
      [{ mode: 'kill', outcome: 'released' }, 1],
      [{ mode: 'other', outcome: 'released' }, 1],
    ])
  })

  it('have the console’s own leases, by the clock, and no group of programs', async () => {
    let held = true
    const led = (group: string) => ({
      group,
      get held() {
        return held
      },
    })
    metrics.telemetry.candidate('leasehold/recovery')
    metrics.telemetry.candidate('billing/leader')
    metrics.telemetry.elected(led('billing/leader'))
    const leader = async () => sampleOf(await scrape(), 'leasehold_leader', { lease: 'leasehold/recovery' })
    expect(await leader()).toBe(0)
    metrics.telemetry.elected(led('leasehold/recovery'))
    expect(await leader()).toBe(1)
    held = false
    expect(await leader()).toBe(0)
    expect(await metrics.registry.metrics()).not.toContain('billing')
  })

  it('have the leases of a watch by state, where there is a watch, and no state that is over', async () => {
    expect((await scrape()).has('leasehold_leases')).toBe(false)
    let counts = [
      { table: 'leases', state: 'held', count: 40 },
      { table: 'leases', state: 'zombie', count: 1 },
    ]
    metrics.observeWatch({
      counts: () => counts,
      scans: () => [{ table: 'leases', ageMs: 2_500, tookMs: 400 }],
      viewers: 3,
    })
    expect(sampleOf(await scrape(), 'leasehold_leases', { state: 'zombie' })).toBe(1)
    counts = [{ table: 'leases', state: 'held', count: 41 }]
    const families = await scrape()
    expect(sampleOf(families, 'leasehold_leases', { state: 'held' })).toBe(41)
    expect(sampleOf(families, 'leasehold_leases', { state: 'zombie' })).toBeUndefined()
    expect(sampleOf(families, 'leasehold_scan_age_seconds')).toBe(2.5)
    expect(sampleOf(families, 'leasehold_viewers')).toBe(3)
  })
})

describe('the token of scrapers', () => {
  it('is known by its text alone', () => {
    const { is } = scraperOf('0123456789abcdef')
    expect([is('0123456789abcdef'), is('0123456789abcdeF'), is('')]).toEqual([true, false, false])
  })

  it('is none where none is set', () => {
    expect(scraperOf(undefined).is('')).toBe(false)
  })
})

describe('the parser of these tests', () => {
  const head = '# HELP a b\n# TYPE a histogram\n'
  it.each([
    ['a sample without a type', 'a 1\n'],
    ['a series twice', '# HELP a b\n# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
    ['a label that is not escaped', '# HELP a b\n# TYPE a gauge\na{x="1"2"} 1\n'],
    ['buckets that shrink', `${head}a_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n`],
    ['a line that does not end', '# HELP a b\n# TYPE a gauge\na 1'],
  ])('refuses %s', (_, text) => {
    expect(() => parseExposition(text)).toThrow()
  })
})
