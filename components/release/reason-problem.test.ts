import { expect, it } from 'vitest'
import { reasonProblem } from './reason-problem.ts'

it('a reason that the audit log cannot keep whole is not cut: its length is said', () => {
  expect(reasonProblem('x'.repeat(2000))).toBe('It is 2,000 characters long; 500 are allowed.')
  expect(reasonProblem(` ${'x'.repeat(500)}\n`), 'as the server counts it').toBeUndefined()
  expect(reasonProblem('')).toBeUndefined()
})
