import { Counter, Histogram, type Registry } from 'prom-client'
import type { RequestMeter } from '../http/log/request-meter.ts'
import { durationBuckets as buckets } from './library-metrics.ts'

/** Requests to the API, by the id of their route: a path may hold anything that a person typed. */
export function requestMetrics(registry: Registry): RequestMeter {
  const registers = [registry]
  const requests = new Histogram({
    name: 'leasehold_http_request_duration_seconds',
    help: 'Requests to the API by route and status class. Requests that wait on purpose are counted apart.',
    labelNames: ['route', 'status'] as const,
    ...{ buckets, registers },
  })
  const waits = new Counter({
    name: 'leasehold_http_waits_total',
    help: 'Requests that waited on purpose (?wait=), by route and status class, when they were answered.',
    labelNames: ['route', 'status'] as const,
    registers,
  })
  const checks = new Counter({
    name: 'leasehold_credential_checks_total',
    help: 'Look-ups of sessions and tokens by outcome: valid, invalid; failed: Cassandra did not answer.',
    labelNames: ['kind', 'outcome'] as const,
    registers,
  })
  return {
    answered({ route: id, waits: isWaiting }, status, ms) {
      const labels = { route: id ?? 'none', status: `${Math.floor(status / 100)}xx` }
      if (isWaiting) waits.inc(labels)
      else requests.observe(labels, ms / 1000)
    },
    checked: (kind, outcome) => checks.inc({ kind, outcome }),
  }
}
