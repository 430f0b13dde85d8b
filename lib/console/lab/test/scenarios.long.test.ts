import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { labScenarios } from '../../../contract/lab/lab-bounds.ts'
import { scenarioSteps } from '../../../contract/lab/scenario-steps.ts'
import { type TestConsole, testConsole } from '../../test/test-console.ts'
import { TestRun } from './test-runs.ts'

let console: TestConsole

beforeAll(async () => {
  console = await testConsole(`lab_long_test_${process.pid}`)
})
afterAll(async () => {
  await console?.context.lab.end()
  await console?.context.session.close()
})

describe('each story comes to its end', () => {
  it.each(labScenarios)('%s', { timeout: 150_000 }, async (scenario) => {
    const run = await TestRun.start(console, { scenario }, scenario)
    await run.until('story-ended', undefined, 120_000)
    expect(run.all('caption').map(({ step }) => step)).toEqual(scenarioSteps[scenario].map((_, i) => i))
    await console.context.lab.endRun(run.id)
    expect(await console.context.tables.get('leases')?.leases.read(run.name)).toBeNull()
  })
})
