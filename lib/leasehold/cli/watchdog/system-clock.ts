import type { Clock, Moment } from '../../time/index.ts'

/** Milliseconds on the monotonic clock that all processes of this machine share. */
const machineMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000

/** The clock for times that two processes exchange: `performance.now()` counts from each one's own start. */
export const machineClock: Clock = { now: () => ({ monotonicMs: machineMs(), wallMs: Date.now() }) }

const offsetMs = machineMs() - performance.now()

/** Converts a moment of this process's clock (`systemClock`) to the machine's clock, for other processes. */
export const onMachineClock = ({ monotonicMs, wallMs }: Moment): Moment => ({
  monotonicMs: monotonicMs + offsetMs,
  wallMs,
})
