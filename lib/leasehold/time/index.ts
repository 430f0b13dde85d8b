export { type Clock, elapsedMs, type Moment, systemClock, systemTimer, type Timer } from './clock.ts'
export {
  type Deadline,
  deadlineOf,
  defaultMaxClockSkewMs,
  expirySeconds,
  incoherentTiming,
  maxTtlSeconds,
  minTtlSeconds,
  tenureMs,
  untilDeadlineMs,
  writtenTtlSeconds,
} from './lease-time.ts'
export { type PaxosVariant, quarantineSeconds } from './quarantine-time.ts'
