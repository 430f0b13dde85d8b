import { expect, it } from 'vitest'
import { ApiError, mayHaveActed } from '../../lib/client/call/api-error.ts'
import { notDoneWords } from './not-done.tsx'

it.each(['server-timeout', 'server-unreachable', 'bad-answer', 'internal', 'outcome-unknown'] as const)(
  'after %s the server may have acted, and the page says so',
  (code) => {
    const error = new ApiError({ code })
    const words = notDoneWords(error, { title: 'The token may have been made.', detail: 'Read the list.' })
    expect(words.title).toBe('The token may have been made.')
    expect(words.detail).toMatch(/ Read the list\.$/)
    expect(notDoneWords(error).title).toBe('This may have been done.')
  },
)

it('a refusal is one: nothing was done', () => {
  for (const code of ['forbidden', 'audit-unavailable', 'elevation-needed', 'bad-request'] as const)
    expect(mayHaveActed(new ApiError({ code }))).toBe(false)
  expect(notDoneWords(new ApiError({ code: 'forbidden' })).title).toBe('You may not do this.')
})
