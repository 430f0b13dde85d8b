import { readFileSync } from 'node:fs'
import type { Telemetry } from 'leasehold/telemetry'
import { type Clock, elapsedMs, type Moment, systemClock } from 'leasehold/time'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { AuditMeter, AuditState } from '../audit/audit-entry.ts'
import type { RequestMeter } from '../http/log/request-meter.ts'
import { auditMetrics } from './audit-metrics.ts'
import { libraryMetrics } from './library-metrics.ts'
import { requestMetrics } from './request-metrics.ts'
import { type WatchState, watchGauges } from './watch-gauges.ts'

/** Shorter than the interval of any scrape. A text takes the event loop six milliseconds, however many ask for it. */
export const textForMs = 1_000

/** Requests that wait, and for how many different leases. */
interface Waits {
  openRequests: { readonly waiting: number }
  holders: { readonly watched: number }
}

/** What this process counts and measures, for `GET /metrics`. */
export class ConsoleMetrics {
  readonly registry = new Registry()
  /** For the library's sessions and leases. */
  readonly telemetry: Telemetry
  readonly requests: RequestMeter
  readonly audit: AuditMeter & { observe(state: AuditState): void }

  readonly #clock: Clock
  #text: { readonly made: Promise<string>; readonly at: Moment } | null = null

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
    const { registry } = this
    collectDefaultMetrics({ register: registry })
    new Gauge({
      name: 'leasehold_build_info',
      help: 'The version of the console, and of Node.',
      labelNames: ['version', 'node'] as const,
      registers: [registry],
    }).set({ version: version(), node: process.versions.node }, 1)
    this.telemetry = libraryMetrics(registry)
    this.requests = requestMetrics(registry)
    this.audit = auditMetrics(registry)
  }

  /** All of it, in Prometheus' format, as it was within the last second. */
  text(): Promise<string> {
    const now = this.#clock.now()
    if (this.#text === null || elapsedMs(this.#text.at, now) >= textForMs)
      this.#text = { made: this.registry.metrics(), at: now }
    return this.#text.made
  }

  /** Gauges of what is open now. */
  observeWaits({ openRequests, holders }: Waits): void {
    const registers = [this.registry]
    new Gauge({
      name: 'leasehold_open_waits',
      help: 'Requests that wait on purpose now.',
      registers,
      collect() {
        this.set(openRequests.waiting)
      },
    })
    new Gauge({
      name: 'leasehold_waited_for_leases',
      help: 'Different leases that requests wait for now: each is watched once.',
      registers,
      collect() {
        this.set(holders.watched)
      },
    })
  }

  /** Gauges of a watch of all leases, where there is one. */
  observeWatch(watch: WatchState): void {
    watchGauges(this.registry, watch)
  }
}

/** The server runs in the directory of its package. */
function version(): string {
  try {
    return String(JSON.parse(readFileSync('package.json', 'utf8')).version)
  } catch {
    return 'unknown'
  }
}
