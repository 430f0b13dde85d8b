import { expect, it } from 'vitest'
import { captionText } from '../../lib/client/lab/run/story-facts.ts'
import { labScenarios } from '../../lib/contract/lab/lab-bounds.ts'
import { scenarioSteps } from '../../lib/contract/lab/scenario-steps.ts'
import { scenarioWords } from './scenario-words.ts'

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
