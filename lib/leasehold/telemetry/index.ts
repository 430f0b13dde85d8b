export {
  type KeptLease,
  type Led,
  noTelemetry,
  type RenewalReport,
  type Resolution,
  type StatementFacts,
  type StatementReport,
  type Step,
  type Telemetry,
  type WriteOperation,
} from './telemetry.ts'
