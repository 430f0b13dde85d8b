import type { Meter } from '@opentelemetry/api'
import type { Led, Telemetry } from '../telemetry/index.ts'

/** Seconds, as OpenTelemetry's conventions have them; a statement takes some milliseconds, a margin some seconds. */
const seconds = {
  unit: 's',
  advice: {
    explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  },
}

/** The metrics of a meter, each under its name. */
export function metricsOf(meter: Meter): Omit<Telemetry, 'step'> {
  const statements = meter.createHistogram('leasehold.statement.duration', {
    ...seconds,
    description: 'Statements on Cassandra, by operation, kind, level and outcome',
  })
  const unknown = meter.createCounter('leasehold.outcome.unknown', {
    unit: '{operation}',
    description: 'Operations that lost the answer to a conditional write',
  })
  const settled = meter.createCounter('leasehold.outcome.settled', {
    unit: '{operation}',
    description: 'What became of them: applied, not-applied, superseded, open',
  })
  const held = meter.createUpDownCounter('leasehold.lease.kept', {
    unit: '{lease}',
    description: 'Leases that this process keeps alive',
  })
  const losses = meter.createCounter('leasehold.lease.losses', {
    unit: '{lease}',
    description: 'Leases that this process lost, by reason; a release is no loss',
  })
  const renewals = meter.createHistogram('leasehold.lease.renewal.duration', {
    ...seconds,
    description: 'Renewals of leases that are kept alive, by outcome',
  })
  const margins = meter.createHistogram('leasehold.lease.renewal.margin', {
    ...seconds,
    description: 'Time that was left until the deadline when a renewal was answered',
  })
  const leads = new Leads()
  meter
    .createObservableGauge('leasehold.election.is_leader', {
      description: '1: this process leads the group. 0: it campaigns, or has led',
    })
    .addCallback((result) => {
      for (const [group, isLeader] of leads.all())
        result.observe(isLeader ? 1 : 0, { 'leasehold.group': group })
    })

  return {
    statement: ({ operation, kind, level, outcome, tookMs }) =>
      statements.record(tookMs / 1000, { operation, kind, level, outcome }),
    outcomeUnknown: (operation) => unknown.add(1, { operation }),
    outcomeSettled: (operation, resolution) => settled.add(1, { operation, resolution }),
    acquired: () => held.add(1),
    renewal({ outcome, tookMs, marginMs }) {
      renewals.record(tookMs / 1000, { outcome })
      if (outcome === 'renewed') margins.record(marginMs / 1000)
    },
    ended(_, reason) {
      held.add(-1)
      if (reason !== 'released') losses.add(1, { reason })
    },
    candidate: (group) => leads.candidate(group),
    elected: (led) => leads.elected(led),
  }
}

/** Which groups this process leads, by the clock at the moment of asking: a process that stalled past its deadline leads none. */
class Leads {
  readonly #groups = new Map<string, Set<Led>>()

  candidate(group: string): void {
    if (!this.#groups.has(group)) this.#groups.set(group, new Set())
  }

  elected(led: Led): void {
    this.candidate(led.group)
    const leading = this.#groups.get(led.group) as Set<Led>
    // What is over is forgotten here too: a program that is never asked must not collect its terms.
    for (const each of leading) if (!each.held) leading.delete(each)
    leading.add(led)
  }

  *all(): Generator<[string, boolean]> {
    for (const [group, leading] of this.#groups) yield [group, [...leading].some(({ held }) => held)]
  }
}
