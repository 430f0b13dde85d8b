/** `lead`: the loop that campaigns, leads, resigns and campaigns again. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LeaseLostError, Leases, OutcomeUnknownError } from '../lease/index.ts'
import { noTelemetry } from '../telemetry/index.ts'
import { FakeClock, MemoryLeaseStore, MemoryResignRequests, MemoryTermStore } from '../testing/index.ts'
import { Election, type LeaderWork, type LeadOptions, StoredTerms } from './index.ts'
import { group } from './test-candidate.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let termStore: MemoryTermStore
let requests: MemoryResignRequests
let stop: AbortController
let opened: Leases[]

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  termStore = new MemoryTermStore(clock)
  requests = new MemoryResignRequests(clock)
  stop = new AbortController()
  opened = []
})
afterEach(async () => {
  for (const leases of opened) await clock.run(leases.close())
})

function candidate(telemetry = noTelemetry) {
  const deps = { clock, timer: clock, random: () => 0.5, settleMs: 3_000, telemetry }
  const options = { store, resignRequests: requests, maxClockSkewMs: 100, defaultTtlSeconds: 10, ...deps }
  const leases = new Leases(options)
  opened.push(leases)
  return {
    leases,
    election: new Election({ leases, group, terms: new StoredTerms({ store: termStore, ...deps }) }),
  }
}

/** Leads in the background, until `stop` aborts; `ended` says how. */
function lead(work: LeaderWork, options: LeadOptions = {}, by = candidate()) {
  const led = { ended: undefined as 'resolved' | Error | undefined, leases: by.leases }
  void by.election.lead(work, { signal: stop.signal, ...options }).then(
    () => {
      led.ended = 'resolved'
    },
    (thrown) => {
      led.ended = thrown
    },
  )
  return led
}
const owner = async () => (await store.read(group)).cells?.owner ?? null
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })

async function ask() {
  const request = { id: `r${requests.reads}`, name: group, requestedBy: 'ana', reason: 'INC-2214' }
  await requests.ask({ ...request, owner: (await owner()) as string, requestedAtMs: clock.now().wallMs })
}

it('leads again after its work has returned, with a greater term each time', async () => {
  const terms: (bigint | null)[] = []
  lead(async ({ term }) => {
    terms.push(term)
    await clock.sleep(1_000)
  })
  await clock.advance(5_000)
  expect(terms.slice(0, 3)).toEqual([1n, 2n, 3n])
  stop.abort()
})

it('ends without an error when its signal aborts, after its work has settled, and resigns', async () => {
  const events: string[] = []
  const led = lead(async ({ signal }) => {
    await aborted(signal)
    events.push(`asked: ${(signal.reason as Error).message}`)
    // Longer than the TTL: the lease is kept alive meanwhile.
    await clock.sleep(25_000)
    events.push(`held: ${(await owner()) !== null}`)
  })
  await clock.advance(1_000)
  stop.abort(new Error('shutting down'))
  await clock.advance(24_000)
  expect(led.ended).toBeUndefined()
  await clock.advance(2_000)
  expect(led.ended).toBe('resolved')
  expect(events).toEqual(['asked: shutting down', 'held: true'])
  expect(await owner()).toBeNull()
})

it('ends without an error when its signal aborts while another candidate leads', async () => {
  const rival = await clock.run(candidate().election.campaign())
  let led = false
  const waiting = lead(async () => {
    led = true
  })
  await clock.advance(5_000)
  stop.abort()
  await clock.advance(0)
  expect([waiting.ended, led]).toEqual(['resolved', false])
  expect(rival.held).toBe(true)
})

it('does nothing under a signal that has aborted', async () => {
  stop.abort()
  const led = lead(async () => {})
  await clock.advance(0)
  expect(led.ended).toBe('resolved')
  expect(store.sent).toBe(0)
})

it('begins no work under a signal that aborts as it is elected, and resigns', async () => {
  const events: string[] = []
  const elected = () => {
    events.push('elected')
    stop.abort()
  }
  const led = lead(async () => void events.push('work'), {}, candidate({ ...noTelemetry, elected }))
  await clock.advance(1_000)
  expect([led.ended, events, await owner()]).toEqual(['resolved', ['elected'], null])
})

it('is refused without a function to run, before it campaigns', async () => {
  const led = lead(undefined as unknown as LeaderWork)
  await clock.advance(1_000)
  expect(led.ended).toMatchObject({ code: 'invalid-argument' })
  expect(store.sent).toBe(0)
})

it('throws what its work throws while it leads, and has resigned by then', async () => {
  const retried: unknown[] = []
  const led = lead(
    async () => {
      await clock.sleep(100)
      throw new Error('of the work')
    },
    { onRetry: (error) => retried.push(error) },
  )
  await clock.advance(1_000)
  expect(led.ended).toMatchObject({ message: 'of the work' })
  expect(retried).toEqual([])
  expect(await owner()).toBeNull()
})

it('pauses between leaderships whose work returns at once', async () => {
  let led = 0
  lead(() => {
    led++
  })
  await clock.advance(10_000)
  expect(led).toBeGreaterThan(5)
  expect(led).toBeLessThan(25)
  stop.abort()
})

it('hands over what the work throws after the caller has aborted', async () => {
  const retried: unknown[] = []
  const bug = new TypeError('a bug')
  const led = lead(
    async ({ signal }) => {
      await aborted(signal)
      throw bug
    },
    { onRetry: (error) => retried.push(error) },
  )
  await clock.advance(1_000)
  stop.abort()
  await clock.advance(1_000)
  expect(led.ended).toBe('resolved')
  expect(retried).toEqual([bug])
})

describe('rides out', () => {
  it('work whose statement went unanswered: it resigns, and leads again after a pause', async () => {
    const retried: unknown[] = []
    const terms: (bigint | null)[] = []
    lead(
      ({ term }) => {
        terms.push(term)
        if (terms.length < 3) throw new OutcomeUnknownError('No answer came.', 'ledger', null)
        return aborted(stop.signal)
      },
      { onRetry: (error) => retried.push(error) },
    )
    await clock.advance(300)
    expect(terms).toEqual([1n])
    await clock.advance(3_000)
    expect(terms).toEqual([1n, 2n, 3n])
    expect(retried).toHaveLength(2)
    stop.abort()
  })

  it('a store that is away', async () => {
    store.fault = () => ({ kind: 'unavailable' })
    const codes: unknown[] = []
    let leading = false
    lead(
      async ({ signal }) => {
        leading = true
        await aborted(signal)
      },
      { onRetry: (error) => codes.push((error as { code?: string }).code) },
    )
    await clock.advance(60_000)
    expect(leading).toBe(false)
    store.fault = () => undefined
    await clock.advance(5_000)
    expect(leading).toBe(true)
    stop.abort()
  })

  it('a term whose outcome is unknown', async () => {
    termStore.fault = (kind) =>
      kind === 'begin' ? { kind: 'lost', applied: false, finality: 'never' } : undefined
    const codes: unknown[] = []
    let leading = false
    lead(
      async ({ signal }) => {
        leading = true
        await aborted(signal)
      },
      { onRetry: (error) => codes.push((error as { code?: string }).code) },
    )
    await clock.advance(15_000)
    expect(leading).toBe(false)
    expect(codes).toContain('outcome-unknown')
    termStore.fault = () => undefined
    await clock.advance(10_000)
    expect(leading).toBe(true)
    stop.abort()
  })

  it('a leadership that is lost, and whatever its work throws then', async () => {
    const retried: unknown[] = []
    let turns = 0
    const led = lead(
      async ({ signal }) => {
        if (++turns > 1) return aborted(signal)
        store.fault = (kind) => (kind === 'renew' ? { kind: 'unavailable' } : undefined)
        await aborted(signal)
        store.fault = () => undefined
        throw new Error('cut off in the middle')
      },
      { onRetry: (error) => retried.push(error) },
    )
    await clock.advance(30_000)
    expect(turns).toBe(2)
    expect(retried).toMatchObject([{ message: 'cut off in the middle' }])
    expect(led.ended).toBeUndefined()
    stop.abort()
  })

  it('not a refusal', async () => {
    const led = lead(async () => {}, { ttlSeconds: 3 })
    await clock.advance(0)
    expect(led.ended).toMatchObject({ code: 'invalid-argument' })
  })
})

describe('asked to resign', () => {
  it('its work winds up while the lease is kept, and another candidate leads after it', async () => {
    const events: string[] = []
    lead(async ({ signal }) => {
      events.push('one leads')
      await aborted(signal)
      events.push((signal.reason as LeaseLostError).reason)
      await clock.sleep(25_000)
      events.push('one has wound up')
    })
    await clock.advance(1_000)
    lead(async ({ signal }) => {
      events.push('two leads')
      await aborted(signal)
    })
    await ask()
    await clock.advance(60_000)
    expect(events).toEqual(['one leads', 'resign-requested', 'one has wound up', 'two leads'])
    stop.abort()
  })

  it('stands back four times in a row', async () => {
    const leaders: string[] = []
    for (const name of ['one', 'two']) {
      lead(async ({ signal }) => {
        leaders.push(name)
        await aborted(signal)
      })
      await clock.advance(1_000)
    }
    for (let round = 0; round < 4; round++) {
      await ask()
      await clock.advance(15_000)
    }
    expect(leaders).toEqual(['one', 'two', 'one', 'two', 'one'])
    stop.abort()
  })

  it('leads again after one TTL where no other candidate comes', async () => {
    const ledAtMs: number[] = []
    lead(async ({ signal }) => {
      ledAtMs.push(clock.now().monotonicMs)
      await aborted(signal)
    })
    await clock.advance(1_000)
    await ask()
    await clock.advance(30_000)
    expect(ledAtMs).toHaveLength(2)
    // It reads the request at its next renewal, within three seconds, and stands back for ten.
    const goneMs = (ledAtMs[1] as number) - (ledAtMs[0] as number)
    expect(goneMs).toBeGreaterThan(10_000)
    expect(goneMs).toBeLessThan(14_500)
    stop.abort()
  })
})

it('ends without an error when its leases are closed: waiting, or leading', async () => {
  const leading = lead(({ signal }) => aborted(signal))
  await clock.advance(1_000)
  const waiting = lead(async () => {})
  await clock.advance(1_000)
  await clock.run(waiting.leases.close())
  await clock.run(leading.leases.close())
  expect([waiting.ended, leading.ended]).toEqual(['resolved', 'resolved'])
  expect(await owner()).toBeNull()
})
