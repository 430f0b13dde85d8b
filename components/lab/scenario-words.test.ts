import { expect, it } from 'vitest'
import { captionText, storyFacts } from '../../lib/client/lab/run/story-facts.ts'
import { type LabScenario, labScenarios } from '../../lib/contract/lab/lab-bounds.ts'
import { scenarioSteps } from '../../lib/contract/lab/scenario-steps.ts'
import { TestJournal } from '../../lib/contract/lab/test-journal.ts'
import { scenarioWords } from './scenario-words.ts'

function told(scenario: LabScenario, journal: TestJournal): string[] {
  const captions: readonly string[] = scenarioWords[scenario].captions
  const facts = storyFacts(journal.entries, journal.ttlSeconds)
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
