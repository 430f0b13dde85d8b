/** What is known of a run when it begins, as it is stored, and as the API shows it. */
import { z } from 'zod'
import { labBounds, labScenarios } from '../../../contract/lab/lab-bounds.ts'
import { dayAt, dayOfRun } from '../../../contract/lab/lab-lease.ts'
import type { LabRun } from '../../../contract/lab/run.ts'
import { iso } from '../../http/instant.ts'

export const runFactsSchema = z.object({
  run: z.string(),
  scenario: z.enum(labScenarios).nullable(),
  /** The lease. */
  name: z.string(),
  ttlSeconds: z.number(),
  maxClockSkewMs: z.number(),
  fair: z.boolean(),
  startedBy: z.string(),
  /** Milliseconds since the epoch. */
  startedAtMs: z.number(),
})

export type RunFacts = z.infer<typeof runFactsSchema>

interface RunState {
  /** null: it runs. */
  readonly endedAtMs: number | null
  readonly story: LabRun['story']
}

export const runJson = ({ startedAtMs, ...facts }: RunFacts, { endedAtMs, story }: RunState): LabRun => ({
  ...facts,
  startedAt: iso(startedAtMs),
  endsAt: iso(endedAtMs ?? startedAtMs + labBounds.runMs),
  state: endedAtMs === null ? 'running' : 'ended',
  story,
})

/**
 * A run’s id: three letters or digits for the day on which it began, and five at random. So the day, which is the partition of its row,
 * is known from the id alone.
 * @param random five letters or digits
 */
export const runId = (nowMs: number, random: string): string => `${dayAt(nowMs).toString(36)}${random}`

/** The day of a run, and the last days from now on, newest first. Days since the epoch. */
export { dayOfRun as dayOf }
export const lastDays = (nowMs: number): number[] =>
  Array.from({ length: labBounds.keptDays + 1 }, (_, i) => dayAt(nowMs) - i)
