/** What a meter and a tracer get, written down by a small meter and tracer of the test's own. */
import { type Meter, metrics, type ObservableResult, type Tracer, trace } from '@opentelemetry/api'
import { beforeEach, describe, expect, it } from 'vitest'
import { Election } from '../election/index.ts'
import { Leases } from '../lease/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
import { openTelemetry } from './index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let records: [metric: string, value: number, attributes: unknown][]
let observe: () => Record<string, number>
let spans: { name: string; attributes: Record<string, unknown>; error?: string; ended: boolean }[]

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  records = []
  spans = []
})

function meter(): Meter {
  const instrument = (name: string) => {
    const note = (value: number, attributes?: unknown) => void records.push([name, value, attributes])
    return { add: note, record: note }
  }
  return {
    createHistogram: instrument,
    createCounter: instrument,
    createUpDownCounter: instrument,
    createObservableGauge: (name: string) => ({
      addCallback(callback: (result: ObservableResult) => void) {
        observe = () => {
          const seen: Record<string, number> = {}
          callback({
            observe: (value, attributes) => {
              seen[`${name} ${attributes?.['leasehold.group']}`] = value
            },
          })
          return seen
        }
      },
    }),
  } as unknown as Meter
}

const tracer = {
  startActiveSpan(name: string, options: { attributes?: object }, work: (span: unknown) => unknown) {
    const span = { name, attributes: { ...options.attributes } as Record<string, unknown>, ended: false }
    const noted: (typeof spans)[number] = span
    spans.push(noted)
    return work({
      setAttribute: (key: string, value: unknown) => {
        noted.attributes[key] = value
      },
      recordException: ({ message }: Error) => {
        noted.error = message
      },
      setStatus: () => {},
      end: () => {
        noted.ended = true
      },
    })
  },
} as unknown as Tracer

const leasesWith = (telemetry: Telemetry) =>
  new Leases({
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    telemetry,
    defaultTtlSeconds: 10,
  })
const valuesOf = (metric: string) => records.filter(([name]) => name === metric).map(([, value]) => value)

describe('a meter', () => {
  it('says which groups this process leads, at the moment of asking', async () => {
    const leases = leasesWith(openTelemetry({ meter: meter() }))
    const election = new Election({ leases, group: 'billing/leader' })
    expect(observe()).toEqual({})
    const led = await clock.run(election.campaign())
    expect(observe()).toEqual({ 'leasehold.election.is_leader billing/leader': 1 })
    await clock.run(led.resign())
    expect(observe()).toEqual({ 'leasehold.election.is_leader billing/leader': 0 })
    await clock.run(election.campaign())
    // No timer fires: the machine was suspended past the deadline.
    clock.suspend(60_000)
    expect(observe()).toEqual({ 'leasehold.election.is_leader billing/leader': 0 })
    await clock.run(leases.close())
  })

  it('forgets the terms that are over, also where nothing asks for its metrics', () => {
    const telemetry = openTelemetry({ meter: meter() })
    let reads = 0
    let isOver = false
    const first = {
      group: 'g',
      get held() {
        reads++
        return !isOver
      },
    }
    telemetry.elected(first)
    isOver = true
    telemetry.elected({ group: 'g', held: false })
    reads = 0
    telemetry.elected({ group: 'g', held: true })
    // A term that is kept would be asked whether it is held.
    expect(observe()).toEqual({ 'leasehold.election.is_leader g': 1 })
    expect(reads).toBe(0)
  })

  it('has renewals and their margins in seconds, and losses by reason', async () => {
    const leases = leasesWith(openTelemetry({ meter: meter() }))
    await clock.run(leases.acquire('job'))
    await clock.advance(3_000)
    expect(valuesOf('leasehold.lease.renewal.margin')).toEqual([5.933])
    expect(valuesOf('leasehold.lease.kept')).toEqual([1])
    store.fault = (kind) => (kind === 'renew' ? { kind: 'unavailable' } : undefined)
    await clock.advance(10_000)
    expect(records).toContainEqual(['leasehold.lease.losses', 1, { reason: 'deadline' }])
    expect(valuesOf('leasehold.lease.kept')).toEqual([1, -1])
    await clock.run(leases.close())
  })

  it('counts no release among the losses, and no lease by its name', async () => {
    const leases = leasesWith(openTelemetry({ meter: meter() }))
    await clock.run((await clock.run(leases.acquire('job'))).release())
    expect(valuesOf('leasehold.lease.losses')).toEqual([])
    expect(JSON.stringify(records)).not.toContain('job')
    await clock.run(leases.close())
  })
})

describe('a tracer', () => {
  it('has a span for each step, which ends', async () => {
    const leases = leasesWith(openTelemetry({ tracer }))
    const led = await clock.run(new Election({ leases, group: 'g' }).campaign())
    await clock.advance(3_000)
    await clock.run(led.resign())
    expect(spans.map(({ name }) => name)).toEqual([
      'leasehold.campaign',
      'leasehold.acquire',
      'leasehold.renew',
      'leasehold.release',
    ])
    for (const { ended, error } of spans) expect({ ended, error }).toEqual({ ended: true, error: undefined })
    expect(spans[1]?.attributes).toEqual({ 'leasehold.lease': 'g' })
    await clock.run(leases.close())
  })

  it('has the error of a step that fails, by its code', async () => {
    store.fault = () => ({ kind: 'unavailable' })
    const leases = leasesWith(openTelemetry({ tracer }))
    await expect(clock.run(leases.tryAcquire('job'))).rejects.toMatchObject({ code: 'store-unavailable' })
    expect(spans).toEqual([
      expect.objectContaining({
        name: 'leasehold.acquire',
        attributes: { 'leasehold.lease': 'job', 'error.type': 'store-unavailable' },
        ended: true,
      }),
    ])
    await clock.run(leases.close())
  })
})

it('takes the meter and the tracer of @opentelemetry/api', async () => {
  const telemetry = openTelemetry({ meter: metrics.getMeter('test'), tracer: trace.getTracer('test') })
  const leases = leasesWith(telemetry)
  await clock.run((await clock.run(leases.acquire('job'))).release())
  await clock.run(leases.close())
})
