import { ClosedError } from 'leasehold/lease'
import { expect, it, vi } from 'vitest'
import { namedExamples } from '../../contract/openapi/responses.ts'
import type { ProblemCode } from '../../contract/problem.ts'
import { HttpProblem, type ProblemSources, problemAnswer, problemOf } from './http-problem.ts'

it('is recognised in whichever copy of the module it was made', async () => {
  vi.resetModules()
  const copy = await import('./http-problem.ts')
  expect(copy.HttpProblem).not.toBe(HttpProblem)
  const problem = new copy.HttpProblem('too-many-requests', 'Wait.', {}, { 'Retry-After': '1' })
  expect(problem instanceof HttpProblem).toBe(true)
  for (const other of [new Error('x'), null, undefined, 'HttpProblem', { code: 'forbidden' }])
    expect(other instanceof HttpProblem).toBe(false)
})

it('is answered with what the log calls the request', () => {
  const answer = problemAnswer(new HttpProblem('forbidden', 'No.'), 'the-request')
  expect(answer.status).toBe(403)
  expect(JSON.parse(answer.text ?? '')).toMatchObject({
    code: 'forbidden',
    detail: 'No.',
    requestId: 'the-request',
  })
})

it('has the title that the reference shows for its code', () => {
  for (const [code, { value }] of Object.entries(namedExamples())) {
    const { text } = problemAnswer(new HttpProblem(code as ProblemCode, 'No.'), 'the-request')
    expect(JSON.parse(text ?? '').title).toBe(value.title)
  }
})

it('sends a request that meets a console which is ending elsewhere', () => {
  const problem = problemOf(new ClosedError(), {} as ProblemSources, 'GET /v1/leases')
  expect(problem).toMatchObject({
    code: 'cassandra-unavailable',
    message: expect.stringMatching(/shutting down/),
  })
  expect(problemAnswer(problem, 'x').status).toBe(503)
})
