import { expect, it } from 'vitest'
import { captionText, storyFacts } from '../../lib/client/lab/run/story-facts.ts'
import { type LabScenario, labScenarios } from '../../lib/contract/lab/lab-bounds.ts'
import { scenarioSteps } from '../../lib/contract/lab/scenario-steps.ts'
import { TestJournal } from '../../lib/contract/lab/test-journal.ts'
import { scenarioWords } from './scenario-words.ts'

function told(scenario: LabScenario, journal: TestJournal): string[] {
  const captions: readonly string[] = scenarioWords[scenario].captions
  const facts = storyFacts(journal.entries, { ttlSeconds: journal.ttlSeconds, maxClockSkewMs: 100 })
  return captions.map((caption, step) => captionText(caption, facts[step]))
}

it.each(labScenarios)('%s has a sentence a step', (scenario) => {
  expect(scenarioWords[scenario].captions).toHaveLength(scenarioSteps[scenario].length)
})

it.each(labScenarios)('%s reads well before its journal has anything', (scenario) => {
  for (const caption of scenarioWords[scenario].captions) {
    const text = captionText(caption, undefined)
    expect(text).toMatch(/^[A-Z“]/)
    expect(text).toMatch(/\.$/)
    expect(text).not.toMatch(/[{}[\]|]| {2}| [.,]/)
    expect(text.length, text).toBeLessThanOrEqual(130)
  }
})

it('names the one that resigned, though the next one leads when the sentence is shown', () => {
  const journal = new TestJournal(8).takes('c2', 10, { token: '100' }).note('caption', 40, { step: 0 })
  journal.note('caption', 2_050, { step: 1 }).releases('c2', 2_500)
  journal
    .takes('c1', 2_600, { token: '200' })
    .note('caption', 4_060, { step: 2 })
    .note('caption', 6_070, { step: 3 })
  expect(told('forced-release', journal).slice(0, 4)).toEqual([
    'c2 leads.',
    'Ask: a request for c2 is written. Nothing is taken away.',
    'c2 read the request beside a renewal, and resigned by itself. No overlap.',
    'c1 leads.',
  ])
})

it('tells of the bakery what was so, and of one visit, though other visits follow before a sentence is shown', () => {
  const journal = new TestJournal(8).joined(0, 'c1', 'c2')
  const step = (candidate: string, atMs: number, at: number, number: string | null, waitsFor?: string) =>
    journal.note('bakery', atMs, {
      candidate,
      step: at,
      choosing: at < 5,
      number,
      waitsFor: waitsFor ?? null,
    })
  journal.note('caption', 1, { step: 0 })
  step('c2', 10, 1, null).note('bakery', 11, {
    candidate: 'c1',
    step: 1,
    choosing: true,
    number: null,
    waitsFor: null,
  })
  step('c2', 20, 4, '1')
  step('c1', 30, 4, '2')
  step('c1', 40, 9, '2', 'c2')
  step('c2', 50, 10, '1')
  journal.note('caption', 2_001, { step: 1 })
  step('c2', 3_050, 10, null)
  step('c1', 3_100, 10, '2')
  step('c2', 3_900, 4, '3')
  step('c2', 3_950, 9, '3', 'c1')
  for (const [index, atMs] of [4_001, 6_001, 8_001, 10_001].entries())
    journal.note('caption', atMs, { step: index + 2 })
  const sentences = told('bakery', journal)
  expect(sentences[1]).toMatch(/^c2 raised its flag/)
  expect(sentences[2]).toBe('c2 took number 1.')
  expect(sentences[3]).toMatch(/^c1 waited for c2: /)
  expect(sentences[4]).toMatch(/^c2 was served first/)
  expect(sentences[5]).toMatch(/c1 was next\.$/)
})

it('says by how much a clock is set back, and how much the deadlines of this run allow for', () => {
  const journal = new TestJournal(8).takes('c1', 10, { token: '1' })
  journal.fault('c1', 'skewed', 2_000, true, -20_000).note('caption', 2_001, { step: 1 })
  expect(told('skewed-clock', journal)[1]).toBe(
    'The clocks of c1 are set back by 20 s, and its deadlines allow for a skew of 0.1 s.',
  )
})
