/** What the sentences of a story take from the journal: who, when and how many, as it was when each sentence was shown. */
import type { Entry, JournalEntry } from '../../../contract/lab/journal.ts'
import type { LabRun } from '../../../contract/lab/run.ts'
import { UnfencedAdditions } from '../../../contract/lab/unfenced-additions.ts'
import { durationText } from '../../time/time-text.ts'
import { momentText } from '../window/time-window.ts'
import { tokenText } from '../window/token-text.ts'

/** By the names that stand in the sentences. */
type StoryFacts = Readonly<Record<string, string | undefined>>

type Timing = Pick<LabRun, 'ttlSeconds' | 'maxClockSkewMs'>

/** A takeover that comes later than this after an expiry was not waiting for it. */
const soonMs = 5000

/** @returns by the number of the step, for the steps that were shown */
export function storyFacts(entries: readonly JournalEntry[], run: Timing): StoryFacts[] {
  const shown: StoryFacts[] = []
  let facts: Record<string, string | undefined> = {
    ttl: String(run.ttlSeconds),
    allowed: durationText(run.maxClockSkewMs),
  }
  let expiryMs: number | null = null
  const tries = new Map<number, string>()
  const tokens = new Map<string, string>()
  const additions = new UnfencedAdditions()
  /** A candidate leads from Cassandra’s answer on; it says so once it knows its token and its term, and by then the row has a new expiry. */
  const lateMs = new Map<string, number>()
  for (const entry of entries) {
    additions.take(entry)
    switch (entry.kind) {
      case 'sent':
        if (entry.purpose === 'acquire') tries.set(entry.statement, entry.by)
        break
      case 'answered': {
        const by = tries.get(entry.statement)
        tries.delete(entry.statement)
        if (by !== undefined && entry.outcome === 'applied')
          lateMs.set(by, expiryMs === null ? -1 : entry.atMs - expiryMs)
        break
      }
      case 'leads': {
        const late = lateMs.get(entry.candidate) ?? -1
        tokens.set(entry.candidate, tokenText(entry.token))
        facts = {
          ...facts,
          leader: entry.candidate,
          token: tokenText(entry.token),
          term: entry.term ?? undefined,
          afterExpiry: late >= 0 && late < soonMs ? tookText(late) : undefined,
        }
        break
      }
      case 'lost':
        facts = { ...facts, stopped: entry.candidate }
        break
      case 'seen':
        if (entry.expiryMs !== null) {
          expiryMs = entry.expiryMs
          facts = { ...facts, expiry: momentText(expiryMs) }
        }
        break
      case 'fault':
        if (entry.on) {
          const oldToken = tokens.get(entry.candidate)
          facts = { ...facts, victim: entry.candidate, oldToken, faultAt: momentText(entry.atMs) }
          if (entry.fault === 'skewed' && (entry.ms ?? 0) < 0)
            facts = { ...facts, back: durationText(-(entry.ms ?? 0)) }
        }
        break
      case 'wrote': {
        const { fenced, unfenced, meant } = entry.total
        facts = { ...facts, fenced: String(fenced), unfenced: String(unfenced) }
        facts = { ...facts, meant: String(meant), added: String(additions.applied) }
        break
      }
      case 'bakery':
        facts = bakeryFacts(entry, facts)
        break
      case 'caption':
        shown[entry.step] = facts
        break
    }
  }
  return shown
}

/** Who did first what a sentence speaks of: between a step and its sentence other customers take theirs, and come again. */
function bakeryFacts({ candidate, step, number, waitsFor }: Entry<'bakery'>, facts: StoryFacts): StoryFacts {
  if (step === 1) return { chooser: candidate, ...facts }
  if (step === 4 && number !== null) return { numbered: candidate, number, ...facts }
  if (step === 10 && number !== null) {
    const next = facts.served === undefined || facts.served === candidate ? undefined : candidate
    return { served: candidate, ...facts, next: facts.next ?? next, inside: candidate }
  }
  return waitsFor === null ? facts : { waiter: candidate, other: waitsFor, ...facts }
}

const tookText = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : durationText(ms))

/**
 * @param facts undefined: the sentence was not shown yet
 * @example captionText('{leader|The leader} renews[ at {at} s].', { leader: 'c2' }) // 'c2 renews.'
 */
export function captionText(caption: string, facts: StoryFacts | undefined): string {
  const fill = (text: string) =>
    text.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, name: string, instead = '') => facts?.[name] ?? instead)
  const whole = caption.replace(/\[([^\]]*)\]/g, (_, part: string) => {
    const names = [...part.matchAll(/\{(\w+)/g)].map(([, name]) => name as string)
    return names.every((name) => facts?.[name] !== undefined) ? part : ''
  })
  return fill(whole)
}
