import { expect, it } from 'vitest'
import { LanesBuilder } from '../../../lib/client/lab/lanes/lanes-builder.ts'
import { TestJournal } from '../../../lib/contract/lab/test-journal.ts'
import { controlsOf } from './control-list.ts'

it('a word says what the press does, and stands in the name of its button', () => {
  const run = new LanesBuilder({ ttlSeconds: 6 })
  run.add(new TestJournal().joined(0, 'c1').entries)
  const lane = run.at(1_000).lanes[0]
  if (lane === undefined) throw new Error('no lane')
  const words = (faults: typeof lane.faults) => {
    const { first, more } = controlsOf({ ...lane, faults })
    for (const { word, name } of [...first, ...more])
      for (const part of word.split(' ')) expect(name('c1').toLowerCase()).toContain(part)
    return first.map(({ word }) => word)
  }
  expect(words([])).toEqual(['crash', 'pause', 'cut', 'skew', 'resign'])
  expect(words(['paused', 'cut', 'skewed', 'delayed', 'hold-next', 'swallow-next'])).toEqual([
    'crash',
    'resume',
    'reconnect',
    'set right',
    'resign',
  ])
})
