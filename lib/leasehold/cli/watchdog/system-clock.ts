import type { Clock, Moment } from '../../time/index.ts'

/** Milliseconds on the monotonic clock that all processes of this machine share. */
const machineMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000

/** The clock for times that two processes exchange: `performance.now()` counts from each one's own start. */
export const machineClock: Clock = { now: () => ({ monotonicMs: machineMs(), wallMs: Date.now() }) }

const offsetMs = machineMs() - performance.now()

/** A moment of this process's own clock (`systemClock`), as other processes of this machine read it. */
export const onMachineClock = ({ monotonicMs, wallMs }: Moment): Moment => ({
  monotonicMs: monotonicMs + offsetMs,
  wallMs,
})
