import { expect, it } from 'vitest'
import { ApiError } from '../../../lib/client/call/api-error.ts'
import { liveWord } from './live-word.ts'

const begin = { isSilent: false, unanswered: null, isRead: false, refused: null, isFinal: false }

it('a list connects, is live, or is silent, or its table is', () => {
  expect(liveWord(begin)).toBe('Connecting…')
  expect(liveWord({ ...begin, isRead: true })).toBe('Live')
  expect(liveWord({ ...begin, isRead: true, isSilent: true })).toBe('Stream silent')
  expect(liveWord({ ...begin, isRead: true, unanswered: { isRefused: false } })).toBe('Table silent')
  expect(liveWord({ ...begin, isRead: true, unanswered: { isRefused: true } })).toBe('Table refused')
})

it('a stream that was refused does not go on connecting', () => {
  const refused = new ApiError({ code: 'server-unreachable' })
  expect(liveWord({ ...begin, refused })).toBe('Not connected')
})

it('a stream that the page does not open again by itself is refused, not silent', () => {
  const refused = new ApiError({ code: 'forbidden', status: 403 })
  expect(liveWord({ ...begin, isSilent: true, isRead: true, refused, isFinal: true })).toBe('Stream refused')
})

it('a table that is not configured is nothing to connect to', () => {
  const refused = new ApiError({ code: 'unknown-table', status: 400 })
  expect(liveWord({ ...begin, refused })).toBeNull()
  expect(liveWord({ ...begin, isSilent: true, isRead: true, refused, isFinal: true })).toBeNull()
})
