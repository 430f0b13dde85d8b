/** Beside the schemas, and not with them: each lease’s page asks it. */
import { labBounds } from './lab-bounds.ts'

/** The lease of a run, or the name of its bakery, in the console’s own table. */
export const labLeaseName = (run: string, of: 'leader' | 'bakery'): string => `lab/${run}/${of}`

const dayMs = 86_400_000
export const dayAt = (nowMs: number): number => Math.floor(nowMs / dayMs)
/** The day of a run, which its id begins with. Days since the epoch. */
export const dayOfRun = (run: string): number => Number.parseInt(run.slice(0, 3), 36)
/** Clocks of servers and browsers differ. */
const slackDays = 1

const runIn = (name: string): string | undefined => /^lab\/([a-z0-9]{8})\/(leader|bakery)$/.exec(name)?.[1]

/** Whether a run may have a lease of this name, on some day. Other names that begin with `lab/` are free to programs. */
export const mayBeOfRun = (name: string): boolean => runIn(name) !== undefined

/**
 * The run that a name belongs to. null: it is no lease of the lab. A client of Cassandra’s `lab/printers/leader` is none: its
 * first letters are no day of the last ones.
 *
 * @param nowMs milliseconds since the epoch
 */
export function runOfLease(name: string, nowMs = Date.now()): string | null {
  const run = runIn(name)
  if (run === undefined) return null
  const ageDays = dayAt(nowMs) - dayOfRun(run)
  return ageDays >= -slackDays && ageDays <= labBounds.keptDays + slackDays ? run : null
}
