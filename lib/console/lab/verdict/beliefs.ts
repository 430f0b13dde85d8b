/** When each candidate believed to lead: from what it said, and, while the deadline check is on, no longer than its deadline. */
import type { JournalEntry } from '../../../contract/lab/journal.ts'

export interface Belief {
  readonly candidate: string
  readonly owner: string
  /** When the candidate began to lead: a belief that is cut and comes back has several parts. */
  readonly ledFromMs: number
  readonly fromMs: number
  readonly toMs: number
}

interface Led {
  readonly owner: string
  readonly ledFromMs: number
  deadlineMs: number
  /** Since the last entry that changed what it believes. */
  sinceMs: number
}

export function beliefsOf(entries: readonly JournalEntry[]): Belief[] {
  const led = new Map<string, Led>()
  const found: Belief[] = []
  const last = new Map<string, Belief>()
  let isChecked = true
  /** A renewal parts no belief. */
  const add = (belief: Belief) => {
    const before = last.get(belief.candidate)
    const goesOn = before?.ledFromMs === belief.ledFromMs && before.toMs === belief.fromMs
    const whole = goesOn ? { ...belief, fromMs: before.fromMs } : belief
    if (goesOn) found[found.lastIndexOf(before)] = whole
    else found.push(whole)
    last.set(belief.candidate, whole)
  }
  const settle = (candidate: string, atMs: number): Led | undefined => {
    const belief = led.get(candidate)
    if (belief === undefined) return undefined
    const toMs = isChecked ? Math.min(atMs, belief.deadlineMs) : atMs
    const { owner, ledFromMs, sinceMs } = belief
    if (toMs > sinceMs) add({ candidate, owner, ledFromMs, fromMs: sinceMs, toMs })
    belief.sinceMs = atMs
    return belief
  }
  for (const entry of entries) {
    const { atMs } = entry
    if (entry.kind === 'leads') {
      const { candidate, owner, deadlineMs } = entry
      settle(candidate, atMs)
      led.set(candidate, { owner, ledFromMs: atMs, deadlineMs, sinceMs: atMs })
    } else if (entry.kind === 'renewed') {
      const belief = settle(entry.candidate, atMs)
      if (belief !== undefined) belief.deadlineMs = entry.deadlineMs
    } else if (entry.kind === 'lost' || (entry.kind === 'fault' && entry.fault === 'crashed' && entry.on)) {
      settle(entry.candidate, atMs)
      led.delete(entry.candidate)
    } else if (entry.kind === 'deadline-check') {
      for (const candidate of led.keys()) settle(candidate, atMs)
      isChecked = entry.on
    }
  }
  const endMs = entries.at(-1)?.atMs ?? 0
  for (const candidate of led.keys()) settle(candidate, endMs)
  return found.toSorted((a, b) => a.fromMs - b.fromMs)
}
