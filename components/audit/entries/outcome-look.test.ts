import { describe, expect, it } from 'vitest'
import type { AuditEvent, ShownEntry } from '../../../lib/contract/audit.ts'
import { releaseOutcomeSchema } from '../../../lib/contract/releases/release.ts'
import { outcomeLook, outcomeLooks, outcomeOf, refusalCodes } from './outcome-look.tsx'

describe('how an act came out', () => {
  it('every outcome of a forced release has a word', () => {
    for (const outcome of releaseOutcomeSchema.options) expect(Object.keys(outcomeLooks)).toContain(outcome)
  })

  it('a kill is killed, as its page says; an outcome that needs it has its meaning', () => {
    expect(outcomeLooks.released?.word).toBe('killed')
    for (const outcome of ['lapsed', 'superseded', 'not-sent', 'not-done', 'not-released'])
      expect(outcomeLooks[outcome]?.meaning).toMatch(/\.$/)
    // Cassandra may have answered: of a row that is dated ahead that does not show the outcome.
    expect(outcomeLooks.superseded?.meaning).not.toMatch(/answer/)
  })

  it('a refusal is marked, whatever it was refused as', () => {
    for (const outcome of refusalCodes)
      expect(outcomeLook({ phase: 'event', outcome }, true)).toMatchObject({ tone: 'bad', icon: 'zombie' })
    expect(outcomeLook({ phase: 'event', outcome: 'wrong-credentials' }, true).word).toBe('wrong credentials')
  })

  it('what is not written yet is said so, whatever else it says', () => {
    expect(outcomeLook({ phase: 'outcome', outcome: 'released' }, false)).toMatchObject({
      word: 'not written yet',
      tone: 'unwritten',
    })
  })

  it('of two outcomes of one act the first one counts', () => {
    const part = (outcome: string | null, phase: 'intent' | 'outcome', seq: number | null) => ({
      event: { act: 'release', id: 'a', phase, outcome } as AuditEvent,
      entry: seq === null ? null : ({ bucket: '2026-11-21', seq } as ShownEntry),
    })
    const [late, found] = [part('released', 'outcome', 9), part('superseded', 'outcome', 7)]
    const begun = part(null, 'intent', 3)
    expect(outcomeOf([late, found, begun]).word).toBe('superseded')
    expect(outcomeOf([{ ...late, entry: null }, found, begun]).word).toBe('superseded')
    expect(outcomeOf([begun]).word).toBe('intent')
  })

  it('an entry that was altered says so in the place of its outcome', () => {
    const event = { phase: 'outcome', outcome: 'released' } as const
    expect(outcomeLook(event, true, 'altered')).toMatchObject({ word: 'altered', tone: 'bad' })
    expect(outcomeLook(event, true, 'other-key')).toMatchObject({ word: 'not checked', tone: 'doubt' })
  })

  it('an intent has no outcome; an outcome that is not known is said as it stands', () => {
    expect(outcomeLook({ phase: 'intent', outcome: null }, true).word).toBe('intent')
    expect(outcomeLook({ phase: 'event', outcome: 'something-new' }, true)).toMatchObject({
      word: 'something-new',
      tone: 'plain',
    })
  })
})
