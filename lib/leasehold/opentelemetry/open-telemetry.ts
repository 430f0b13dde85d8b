/**
 * Reports to OpenTelemetry: spans by a tracer, metrics by a meter. Both are the caller's, so that this library needs the types
 * of `@opentelemetry/api` alone, and no package at run time.
 *
 * Spans: `leasehold.acquire`, `leasehold.renew`, `leasehold.release`, `leasehold.campaign` and `leasehold.statement`. They nest
 * where the program has set up a context manager, as OpenTelemetry's Node SDK does.
 * Metrics: `metrics.ts`, one constant a name. Groups are labels, because a program campaigns for few; names of leases are not,
 * because it may hold any number of them.
 */
import type { Meter, Span, Tracer } from '@opentelemetry/api'
import { noTelemetry, type Step, type Telemetry } from '../telemetry/index.ts'
import { metricsOf } from './metrics.ts'

export interface OpenTelemetryOptions {
  /** Left out: no metrics. */
  meter?: Meter | undefined
  /** Left out: no spans. */
  tracer?: Tracer | undefined
}

/**
 * @example
 * import { metrics, trace } from '@opentelemetry/api'
 * import { openTelemetry } from 'leasehold/opentelemetry'
 *
 * const telemetry = openTelemetry({ meter: metrics.getMeter('leasehold'), tracer: trace.getTracer('leasehold') })
 * const observed = await connect({ contactPoints: ['127.0.0.1'], localDataCenter: 'datacenter1', keyspace: 'leasehold', telemetry })
 */
export function openTelemetry({ meter, tracer }: OpenTelemetryOptions): Telemetry {
  return {
    ...(meter === undefined ? noTelemetry : metricsOf(meter)),
    step: tracer === undefined ? noTelemetry.step : stepsOf(tracer),
  }
}

/** `SpanKind.CLIENT` and `SpanStatusCode.ERROR`: of the package, this library loads nothing. */
const clientKind = 2
const errorStatus = 2

function stepsOf(tracer: Tracer): Telemetry['step'] {
  return (step, work) =>
    tracer.startActiveSpan(`leasehold.${step.name}`, spanOf(step), async (span) => {
      try {
        return await work()
      } catch (thrown) {
        failed(span, thrown)
        throw thrown
      } finally {
        span.end()
      }
    })
}

function spanOf(step: Step) {
  switch (step.name) {
    case 'statement': {
      const { operation, kind, level } = step.statement
      return {
        kind: clientKind,
        attributes: {
          'db.system.name': 'cassandra',
          'db.operation.name': operation,
          'cassandra.consistency.level': level.toLowerCase(),
          'leasehold.statement.kind': kind,
        },
      }
    }
    case 'campaign':
      return { attributes: { 'leasehold.group': step.group } }
    default:
      return { attributes: { 'leasehold.lease': step.lease } }
  }
}

function failed(span: Span, thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') span.setAttribute('error.type', code)
  span.recordException(error)
  span.setStatus({ code: errorStatus, message: error.message })
}
