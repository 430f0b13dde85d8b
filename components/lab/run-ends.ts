import { labBounds } from '../../lib/contract/lab/lab-bounds.ts'

export const unwatchedMinutes = labBounds.unwatchedMs / 60_000

/** When a run ends by itself, in words: here, and nowhere else. */
export const runEndsText = `A run ends by itself after ${labBounds.runMs / 60_000} minutes, or when it has had no viewer for ${unwatchedMinutes} minutes.`
