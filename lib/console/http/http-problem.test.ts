import { ClosedError, StatementUnknownError, StoreRefusedError, StoreUnavailableError } from 'leasehold/lease'
import { describe, expect, it, vi } from 'vitest'
import { namedExamples } from '../../contract/openapi/responses.ts'
import type { ProblemCode } from '../../contract/problem-codes.ts'
import { afterAct } from './after-act.ts'
import { HttpProblem, type ProblemSources, problemAnswer, problemOf } from './http-problem.ts'

const from = { where: 'release', requestId: 'the-request' }

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
  const problem = problemOf(new ClosedError(), {} as ProblemSources, from)
  expect(problem).toMatchObject({
    code: 'cassandra-unavailable',
    message: expect.stringMatching(/shutting down/),
  })
  expect(problemAnswer(problem, 'x').status).toBe(503)
})

describe('after an act that was done', () => {
  const answered = (thrown: Error) =>
    afterAct('The password was changed.', () => Promise.reject(thrown)).catch((problem: unknown) =>
      problemOf(problem, { log: { error: () => {} } } as unknown as ProblemSources, from),
    )

  it.each([
    new StoreUnavailableError('No node answers.'),
    new StatementUnknownError('No answer came.', 'never'),
    new ClosedError(),
    new HttpProblem('not-ready', 'The audit log was not read yet.'),
  ])('no answer says that nothing was done: $message', async (thrown) => {
    const message = `The password was changed. ${thrown.message}`
    expect(await answered(thrown)).toMatchObject({ code: 'outcome-unknown', message })
  })

  it('another error stays as it is', async () => {
    expect(await answered(new StoreRefusedError('No permission.'))).toMatchObject({
      code: 'cassandra-refused',
    })
    expect(await answered(new HttpProblem('not-found', 'No.'))).toMatchObject({ code: 'not-found' })
  })
})

describe('Cassandra does not answer', () => {
  const counting = (nodesUp: number, nodes: number) =>
    ({
      session: { nodes: () => ({ nodes, nodesUp }) },
      clock: { now: () => ({ monotonicMs: 0, wallMs: 0 }) },
    }) as unknown as ProblemSources
  const sources = counting(2, 3)

  it.each([
    [1, 1, 'The console’s connection to the node looks open, so the node may be paused or overloaded.'],
    [
      3,
      3,
      'The console’s connections to all 3 nodes look open, so some of them may be paused or overloaded.',
    ],
    [0, 1, 'The node is not connected.'],
    [1, 3, '1 of 3 nodes is connected.'],
    [0, 3, '0 of 3 nodes are connected.'],
  ])('with %i of %i nodes: that all are connected seemed to contradict it', (nodesUp, nodes, detail) => {
    const thrown = new StoreUnavailableError('Cassandra did not answer in time.')
    expect(problemOf(thrown, counting(nodesUp, nodes), from).message).toBe(
      `Cassandra did not answer in time. ${detail}`,
    )
  })

  it('says what was thrown, beside the number of nodes', () => {
    const problem = problemOf(new StoreUnavailableError('It released nothing.'), sources, from)
    expect(problem).toMatchObject({
      code: 'cassandra-unavailable',
      message: 'It released nothing. 2 of 3 nodes are connected.',
      extra: { nodes: 3, nodesUp: 2 },
    })
  })

  it('does not say that nothing was done when a plain write may have happened', () => {
    const thrown = new StoreUnavailableError('The write may have happened.', { mayHaveHappened: true })
    expect(problemOf(thrown, sources, from)).toMatchObject({
      code: 'outcome-unknown',
      message: 'The write may have happened.',
    })
  })
})
