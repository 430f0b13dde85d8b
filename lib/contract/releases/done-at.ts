import type { Release } from './release.ts'

/**
 * When a forced release took effect: its last step is Cassandra's answer. ISO 8601. null: it did not, or the time is not known. Where the
 * answer was lost, or the server stopped midway, a later read has shown the outcome, and its time is not the act's.
 */
export function doneAt({ outcome, steps }: Pick<Release, 'outcome' | 'steps'>): string | null {
  const tookEffect = outcome === 'asked' || outcome === 'broken' || outcome === 'released'
  // A process that found the outcome of another one's act writes that as its only step.
  const wasAnswered = steps.length > 1 && steps.every(({ ok }) => ok)
  return tookEffect && wasAnswered ? (steps.at(-1)?.at ?? null) : null
}
