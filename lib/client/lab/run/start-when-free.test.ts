import { expect, it } from 'vitest'
import { ApiError } from '../../call/api-error.ts'
import { startWhenFree } from './start-when-free.ts'

function starting(...answers: string[]) {
  let sleptMs = 0
  let tries = 0
  const start = async () => {
    const answer = answers[Math.min(tries++, answers.length - 1)] as string
    if (answer.startsWith('run')) return answer
    throw new ApiError({ code: answer as 'lab-full' })
  }
  const started = startWhenFree(start, async (ms) => {
    sleptMs += ms
  })
  return { started, tries: () => tries, sleptMs: () => sleptMs }
}

it('waits for the place of the run before', async () => {
  const { started, sleptMs } = starting('lab-full', 'lab-full', 'run-2')
  expect(await started).toBe('run-2')
  expect(sleptMs()).toBe(2_000)
})

it('waits for longer than a run keeps its place, and then says that there is none', async () => {
  const { started, sleptMs } = starting('lab-full')
  await expect(started).rejects.toMatchObject({ code: 'lab-full' })
  expect(sleptMs()).toBeGreaterThan(10_000)
  expect(sleptMs()).toBeLessThan(20_000)
})

it('does not try again after another refusal', async () => {
  const { started, tries } = starting('lab-disabled')
  await expect(started).rejects.toMatchObject({ code: 'lab-disabled' })
  expect(tries()).toBe(1)
})
