/** Go compiles its standard library first: half a minute of a processor. Where there is no Go, this is skipped. */
import { spawnSync } from 'node:child_process'
import { describe, it } from 'vitest'
import { testClients } from './test-clients.ts'
import { go } from './test-programs.ts'
import { testWrongAnswers } from './test-wrong-answers.ts'

if (spawnSync('go', ['version']).status === 0) {
  testClients([go])
  testWrongAnswers([go])
} else describe('Go', () => it.skip('is not installed here'))
