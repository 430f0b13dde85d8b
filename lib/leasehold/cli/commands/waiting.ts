import { isQuarantine, type LeaseProtocol, type LeaseView, remainingMs } from '../../lease/index.ts'
import { systemClock } from '../../time/index.ts'
import type { Io } from '../process/io.ts'
import { durationText, startOf } from './format.ts'

const tickMs = 1_000
/** A wait shorter than this shows no line, in milliseconds. */
const firstAfterMs = 300
/** How often the holder is read again: one SERIAL read each time. */
const readEveryTicks = 5

/** While a caller waits, shows the holder of the lease and its time left, in one line of the terminal. */
export function sayWhoHolds(io: Io, leases: LeaseProtocol, name: string): { end(): void } {
  let view: LeaseView | null = null
  let ticks = 0
  let shown = false
  const erase = () => {
    if (shown) io.stderr.write('\r\x1b[K')
  }
  const tick = async () => {
    if (ticks++ % readEveryTicks === 0) view = await leases.read(name).catch(() => view)
    if (view?.owner == null || ended) return
    const left = remainingMs(view, systemClock.now())
    const until =
      left === null ? 'it has no expiry' : `${durationText(Math.max(0, left))} left unless renewed`
    const line = isQuarantine(view.owner)
      ? `leasehold: waiting for ${JSON.stringify(name)}, quarantined after it was broken; free in ${durationText(Math.max(0, left ?? 0))}`
      : `leasehold: waiting for ${JSON.stringify(name)}, held by ${view.owner}; ${until}`
    io.stderr.write(`\r\x1b[K${startOf(line, Math.max(20, io.stderr.columns - 1))}`)
    shown = true
  }
  let ended = false
  const first = setTimeout(() => void tick(), firstAfterMs)
  const timer = setInterval(() => void tick(), tickMs)
  return {
    end: () => {
      ended = true
      clearTimeout(first)
      clearInterval(timer)
      erase()
    },
  }
}
