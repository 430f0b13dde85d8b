import { expect, it } from 'vitest'
import { problemCodes, problemStatus } from '../../contract/problem-codes.ts'
import { ApiError } from './api-error.ts'
import { errorWords, fieldIssue } from './error-words.ts'

const problem = (code: keyof typeof problemStatus, detail: string) => ({
  type: '',
  title: '',
  status: problemStatus[code],
  code,
  detail,
})

it('has words for every code, and lets the server say why', () => {
  for (const code of problemCodes) expect(errorWords(new ApiError({ code })).title).not.toBe('')
  const forbidden = new ApiError({
    code: 'forbidden',
    problem: problem('forbidden', 'Only admins may kill.'),
  })
  expect(errorWords(forbidden)).toEqual({ title: 'You may not do this.', detail: 'Only admins may kill.' })
  expect(errorWords(new Error('x')).title).toBe('The page failed.')
})

it('the title of an answer that is not understood said that it did not come from Leasehold; it may', () => {
  const { title, detail } = errorWords(new ApiError({ code: 'bad-answer' }))
  expect(title).toBe('The page does not understand the answer.')
  expect(detail).toContain('or this page is from another version')
})

it('finds the sentence for a field', () => {
  const error = new ApiError({
    code: 'bad-request',
    problem: { ...problem('bad-request', ''), issues: [{ path: 'body.ttlSeconds', message: 'too long' }] },
  })
  expect(fieldIssue(error, 'ttlSeconds')).toBe('too long')
  expect(fieldIssue(error, 'value')).toBeUndefined()
})
