/** The diagram of a run, and its file. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LabRun } from '../../../contract/lab/run.ts'
import { pauseWithoutFencing, TestJournal } from '../../../contract/lab/test-journal.ts'
import { journalOf, tenure } from '../../../contract/lab/test-tenures.ts'
import { LamportDiagram } from './lamport-diagram.ts'
import { messagesMax } from './messages.ts'
import { runJson } from './run-download.ts'
import { escaped } from './svg-text.ts'

const drawn = ({ ttlSeconds, entries }: TestJournal) => {
  const diagram = new LamportDiagram({ ttlSeconds })
  diagram.add(entries)
  return diagram.svg('A run')
}
const count = (svg: string, look: string) => svg.split(`class="${look}"`).length - 1

it('is the same, byte for byte, an entry at a time and all at once', () => {
  fc.assert(
    fc.property(fc.array(tenure, { minLength: 1, maxLength: 8 }), (tenures) => {
      const { ttlSeconds, entries } = journalOf(tenures)
      const growing = new LamportDiagram({ ttlSeconds })
      // A picture in between changes nothing.
      for (const entry of entries) {
        growing.add([entry])
        if (entry.seq % 50 === 0) growing.svg('A run')
      }
      growing.add(entries)
      expect(growing.svg('A run')).toBe(drawn(journalOf(tenures)))
    }),
    { numRuns: 50, seed: 13 },
  )
})

it('has a line for each candidate and Cassandra, and an arrow there and back for each message', () => {
  const svg = drawn(pauseWithoutFencing())
  const heads = [...svg.matchAll(/class="head"[^>]*>([^<]+)</g)].map(([, word]) => word)
  expect(heads).toEqual(['c1', 'c2', 'Cassandra', 'c3', 'c4'])
  expect(count(svg, 'applied')).toBe(12)
  expect(count(svg, 'refused')).toBe(8)
  expect(count(svg, 'arrow answer')).toBe(20)
  expect(count(svg, 'wrongly')).toBe(1)
  expect(svg).toContain('stale write')
})

describe('what is lost ends on its way', () => {
  it('a statement without an answer', () => {
    const journal = new TestJournal().joined(0, 'c1')
    journal.statement('c1', 'acquire', 100, { answeredMs: null })
    expect(count(drawn(journal), 'gone')).toBe(1)
    expect(count(drawn(journal), 'arrow answer')).toBe(0)
  })

  it('an answer that the candidate did not get', () => {
    const journal = new TestJournal().joined(0, 'c1')
    const statement = journal.statement('c1', 'acquire', 100)
    journal.note('delivered', 110, { statement, as: 'unknown' })
    expect(count(drawn(journal), 'gone')).toBe(1)
    expect(drawn(journal)).toContain('c1 got no answer')
  })

  it('an answer that came late did come', () => {
    const journal = new TestJournal().joined(0, 'c1')
    const statement = journal.statement('c1', 'acquire', 100)
    journal.note('delivered', 3_000, { statement, as: 'answer' })
    expect(count(drawn(journal), 'gone')).toBe(0)
  })
})

it('says that a statement was held back', () => {
  const journal = new TestJournal().joined(0, 'c1')
  const statement = journal.statement('c1', 'renew', 100, { answeredMs: 3_010 })
  expect(drawn(journal)).not.toContain('held back')
  expect(drawn(journal.note('let-go', 3_000, { statement }))).toContain('held back')
})

it('escapes all text, and leaves out what XML has no place for', () => {
  const journal = new TestJournal().joined(0, 'c1')
  journal.statement('c1', 'acquire', 100, {
    found: `</title><script>alert("1")</script>&\u0000`,
    outcome: 'not-applied',
  })
  const svg = drawn(journal)
  expect(svg).not.toContain('<script')
  expect(svg).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;\n')
  expect(escaped('a\u0000\u000b\ud800<é😀')).toBe('a&lt;é😀')
})

it('counts the messages that it leaves out', () => {
  const journal = new TestJournal().joined(0, 'c1')
  for (let i = 0; i < messagesMax + 7; i++) journal.refused('c1', 100 + i * 10)
  expect(drawn(journal)).toContain('7 more messages are in the journal')
  expect(count(drawn(journal), 'refused')).toBe(messagesMax)
})

it('is well-formed: what opens is closed, and no number is wrong', () => {
  const svg = drawn(pauseWithoutFencing())
  const open: string[] = []
  for (const [, closing, name = '', selfClosing] of svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g))
    if (closing === '/') expect(open.pop()).toBe(name)
    else if (selfClosing !== '/') open.push(name)
  expect(open).toEqual([])
  expect(svg).not.toMatch(/NaN|Infinity|undefined|null/)
})

it('no word of a mark leaves the picture', () => {
  const letterPx = 6
  const journal = pauseWithoutFencing()
  // The last candidate has its words on the right.
  journal.takes('c8', 40_000, { token: '900' }).fault('c8', 'crashed', 41_000)
  const by = { candidate: 'c8', token: '900', before: 1, total: { fenced: 1, unfenced: 1, meant: 1 } }
  journal.note('wrote', 60_000, { ...by, counter: 'fenced', outcome: 'refused' })
  const svg = drawn(journal)
  const width = Number(/width="(\d+)"/.exec(svg)?.[1])
  const notes = [
    ...svg.matchAll(/<text class="note" x="(-?[\d.]+)" y="[\d.]+" text-anchor="(\w+)">([^<]+)</g),
  ]
  expect(notes.length).toBeGreaterThan(3)
  for (const [, x, anchor, text = ''] of notes) {
    const length = letterPx * text.length
    if (anchor === 'start') expect([text, Number(x) + length <= width]).toEqual([text, true])
    else expect([text, Number(x) - length >= 0]).toEqual([text, true])
  }
})

it('a run as a file: JSON with its header, its verdict and an entry a line', () => {
  const { entries } = pauseWithoutFencing()
  const run = { run: 'k7m2abcd', scenario: null } as LabRun
  const text = runJson({ run, verdict: [], entries })
  expect(JSON.parse(text)).toEqual({ format: 'leasehold-lab-run', version: 1, run, verdict: [], entries })
  expect(text.split('\n').filter((line) => line.startsWith('    {"seq"'))).toHaveLength(entries.length)
  expect(JSON.parse(runJson({ run, verdict: [], entries: [] })).entries).toEqual([])
})
