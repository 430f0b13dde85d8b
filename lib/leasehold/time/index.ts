export { onAbort } from './abort.ts'
export {
  type Clock,
  elapsedMs,
  lookAtClocksEveryMs,
  type Moment,
  surelyElapsedMs,
  systemClock,
  systemTimer,
  type Timer,
} from './clock.ts'
export { latestTenureMs } from './latest-tenure.ts'
export {
  type Deadline,
  deadlineOf,
  defaultMaxClockSkewMs,
  expirySeconds,
  incoherentTiming,
  leastKeptTtlSeconds,
  maxTtlSeconds,
  minKeptTtlSeconds,
  minTtlSeconds,
  tenureMs,
  untilDeadlineMs,
  writtenTtlSeconds,
} from './lease-time.ts'
export { answerWithinMs, contentionLimitMs, type PaxosVariant } from './paxos.ts'
export { quarantineSeconds } from './quarantine-time.ts'
