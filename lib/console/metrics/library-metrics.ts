import { type Led, noTelemetry, type Telemetry } from 'leasehold/telemetry'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Upper bounds of histograms, in seconds. A statement takes a millisecond or a few; a write's answer is awaited for 20 s. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/** Names of leases that the console itself holds begin so. */
const ownPrefix = 'leasehold/'

/**
 * What the library reports, as metrics. Operations and levels are words of the source; of groups, the console's own are labels
 * and no others.
 */
export function libraryMetrics(registry: Registry): Telemetry {
  const registers = [registry]
  const buckets = durationBuckets
  const conditionalWrites = new Histogram({
    name: 'leasehold_conditional_write_duration_seconds',
    help: 'Conditional writes (LWT) by operation and outcome: applied, not-applied, unknown, unavailable, refused.',
    labelNames: ['operation', 'outcome'] as const,
    ...{ buckets, registers },
  })
  const plainWrites = new Histogram({
    name: 'leasehold_plain_write_duration_seconds',
    help: 'Unconditional writes by outcome: answered, unknown, unavailable, refused.',
    labelNames: ['outcome'] as const,
    ...{ buckets, registers },
  })
  const reads = new Histogram({
    name: 'leasehold_read_duration_seconds',
    help: 'Reads by consistency level and outcome: answered, unavailable, refused.',
    labelNames: ['level', 'outcome'] as const,
    ...{ buckets, registers },
  })
  const unknown = new Counter({
    name: 'leasehold_unknown_outcomes_total',
    help: 'Operations that lost the answer to a conditional write.',
    labelNames: ['operation'] as const,
    registers,
  })
  const resolved = new Counter({
    name: 'leasehold_unknown_outcomes_resolved_total',
    help: 'What became of operations that lost an answer: applied, not-applied, superseded; open: not found out.',
    labelNames: ['operation', 'resolution'] as const,
    registers,
  })
  const leads = new Map<string, Led | null>()
  new Gauge({
    name: 'leasehold_leader',
    help: 'Leases of the console’s own: 1 while this process holds them.',
    labelNames: ['lease'] as const,
    registers,
    collect() {
      for (const [lease, led] of leads) this.set({ lease }, led?.held ? 1 : 0)
    },
  })
  return {
    ...noTelemetry,
    statement({ operation, kind, level, outcome, tookMs }) {
      const seconds = tookMs / 1000
      if (kind === 'conditional write') conditionalWrites.observe({ operation, outcome }, seconds)
      else if (kind === 'plain write') plainWrites.observe({ outcome }, seconds)
      else reads.observe({ level, outcome }, seconds)
    },
    outcomeUnknown: (operation) => unknown.inc({ operation }),
    outcomeSettled: (operation, resolution) => resolved.inc({ operation, resolution }),
    candidate(group) {
      if (group.startsWith(ownPrefix) && !leads.has(group)) leads.set(group, null)
    },
    elected(led) {
      if (led.group.startsWith(ownPrefix)) leads.set(led.group, led)
    },
  }
}
