import { Counter, type Registry } from 'prom-client'
import type { RequestMeter } from '../http/log/request-meter.ts'
import { Durations } from './durations.ts'

const statusClasses = [undefined, '1xx', '2xx', '3xx', '4xx', '5xx']
const noChecks = () => ({ valid: 0, invalid: 0, failed: 0 })

/** Requests to the API, by the id of their route: a path may hold anything that a person typed. */
export function requestMetrics(registry: Registry): RequestMeter {
  const registers = [registry]
  const requests = new Durations(registry, {
    name: 'leasehold_http_request_duration_seconds',
    help: 'Requests to the API by route and status class. Requests that wait on purpose are counted apart.',
    labelNames: ['route', 'status'],
  })
  const waits = new Counter({
    name: 'leasehold_http_waits_total',
    help: 'Requests that waited on purpose (?wait=), by route and status class, when they were answered.',
    labelNames: ['route', 'status'] as const,
    registers,
  })
  /** By kind and outcome: each request has one, so that they are passed on when they are asked for. */
  const checked = { session: noChecks(), token: noChecks() }
  new Counter({
    name: 'leasehold_credential_checks_total',
    help: 'Look-ups of sessions and tokens by outcome: valid, invalid; failed: Cassandra did not answer.',
    labelNames: ['kind', 'outcome'] as const,
    registers,
    collect() {
      this.reset()
      for (const [kind, outcomes] of Object.entries(checked))
        for (const [outcome, count] of Object.entries(outcomes)) this.inc({ kind, outcome }, count)
    },
  })
  return {
    answered({ route: id, waits: isWaiting }, status, ms) {
      const route = id ?? 'none'
      const statusClass = statusClasses[Math.floor(status / 100)] ?? 'other'
      if (isWaiting) waits.inc({ route, status: statusClass })
      else requests.observe(route, statusClass, ms)
    },
    checked(kind, outcome) {
      checked[kind][outcome] += 1
    },
  }
}
