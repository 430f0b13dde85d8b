import cassandra from 'cassandra-driver'
import { isLeaseholdError } from '../../lease/index.ts'
import type { StatementFacts, StatementReport, Step, Telemetry } from '../../telemetry/index.ts'
import { type Clock, systemClock } from '../../time/index.ts'
import { kindOf } from '../driver/run-statement.ts'
import type { ExecutedRows } from './executor.ts'
import type { Statement } from './statement.ts'

const levelNames = new Map(
  Object.entries(cassandra.types.consistencies).map(([name, level]) => [
    level,
    // `localSerial` to `LOCAL_SERIAL`, as CQL writes it.
    name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
  ]),
)

/** Runs a statement, and reports what it was and how it ended. */
export function reported(
  telemetry: Telemetry,
  statement: Statement,
  execute: () => Promise<ExecutedRows>,
  clock: Clock = systemClock,
): Promise<ExecutedRows> {
  const step: Step & { name: 'statement' } = { name: 'statement', statement: factsOf(statement) }
  const { operation, kind, level } = step.statement
  const sentMs = clock.now().monotonicMs
  const ended = (outcome: StatementReport['outcome']) =>
    telemetry.statement({ operation, kind, level, outcome, tookMs: clock.now().monotonicMs - sentMs })
  // The caller gets the promise of the work itself: each one around it would cost every statement a turn.
  const executing = telemetry.step(step, execute)
  executing.then(
    (executed) => ended(outcomeOf(kind, executed)),
    (thrown) => ended(failureOf(thrown)),
  )
  return executing
}

function factsOf(statement: Statement): StatementFacts {
  const { operation = 'other', consistency, serialConsistency } = statement
  return {
    operation,
    kind: kindOf(statement),
    level: levelNames.get(serialConsistency ?? consistency) ?? 'other',
  }
}

function outcomeOf(kind: StatementFacts['kind'], { rows }: ExecutedRows): StatementReport['outcome'] {
  if (kind !== 'conditional write') return 'answered'
  return rows[0]?.['[applied]'] === true ? 'applied' : 'not-applied'
}

function failureOf(thrown: unknown): StatementReport['outcome'] {
  if (isLeaseholdError(thrown, 'statement-unknown')) return 'unknown'
  if (isLeaseholdError(thrown, 'store-unavailable')) return thrown.mayHaveHappened ? 'unknown' : 'unavailable'
  return isLeaseholdError(thrown, 'closed') ? 'unavailable' : 'refused'
}
