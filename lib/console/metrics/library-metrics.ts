import { type Led, noTelemetry, type Telemetry } from 'leasehold/telemetry'
import { Counter, Gauge, type Registry } from 'prom-client'
import { Durations } from './durations.ts'

/** Names of leases that the console itself holds begin so. */
const ownPrefix = 'leasehold/'

/**
 * What the library reports, as metrics. Operations and levels are words of the source; of groups, the console's own are labels
 * and no others.
 */
export function libraryMetrics(registry: Registry): Telemetry {
  const registers = [registry]
  const conditionalWrites = new Durations(registry, {
    name: 'leasehold_conditional_write_duration_seconds',
    help: 'Conditional writes (LWT) by operation and outcome: applied, not-applied, unknown, unavailable, refused.',
    labelNames: ['operation', 'outcome'],
  })
  const plainWrites = new Durations(registry, {
    name: 'leasehold_plain_write_duration_seconds',
    help: 'Unconditional writes by operation and outcome: answered, unknown, unavailable, refused.',
    labelNames: ['operation', 'outcome'],
  })
  const reads = new Durations(registry, {
    name: 'leasehold_read_duration_seconds',
    help: 'Reads by consistency level and outcome: answered, unavailable, refused.',
    labelNames: ['level', 'outcome'],
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
      if (kind === 'conditional write') conditionalWrites.observe(operation, outcome, tookMs)
      else if (kind === 'plain write') plainWrites.observe(operation, outcome, tookMs)
      else reads.observe(level, outcome, tookMs)
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
