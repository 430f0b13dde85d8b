import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ApiError } from '../../../lib/client/call/api-error.ts'
import { FailedPage, StalePage, UnansweredTable } from './failed-page.tsx'

const textOf = (isRefused: boolean, of: 'list' | 'lease' = 'list') =>
  renderToStaticMarkup(createElement(UnansweredTable, { sinceMs: 0, isRefused, of })).replace(/<[^>]*>/g, '')

it('Cassandra answers no read of the table: nodes may be down', () => {
  expect(textOf(false)).toMatch(/^Cassandra has answered no read of this table for /)
  expect(textOf(false)).toContain('The doctor shows which nodes are down.')
})

it('Cassandra refuses to read the table: the nodes are up, and a grant or the table is missing', () => {
  for (const text of [textOf(true), textOf(true, 'lease')]) {
    expect(text).toMatch(/^Cassandra has refused each read of this table for /)
    expect(text).toContain('as last read and may be wrong by now. Releases are locked')
    expect(text).toContain('SELECT')
    expect(text).not.toMatch(/answered no read|nodes are down/)
  }
})

const forbidden = new ApiError({ code: 'forbidden', status: 403 })
const unreachable = new ApiError({ code: 'server-unreachable' })
const html = (of: 'list' | 'lease', error: ApiError, isFinal: boolean) =>
  renderToStaticMarkup(createElement(StalePage, { sinceMs: 0, of, error, isFinal, retry: () => {} }))

it('a stream that was refused for good is not silent, and its page does not say that it connects again', () => {
  for (const of of ['list', 'lease'] as const) {
    const text = html(of, forbidden, true)
    expect(text).toContain(`The server refused the stream of this ${of}.`)
    expect(text).toContain('You may not do this.')
    expect(text).toContain('The page does not try again by itself.')
    expect(text).toMatch(/role="alert".*<button[^>]*>Try again<\/button>/)
    expect(text).not.toMatch(/silent|connects again/)
  }
})

it('a stream that broke is silent, and connects again without the reader', () => {
  const text = html('list', unreachable, false)
  expect(text).toContain('The stream of this list has been silent for')
  expect(text).toContain('The page connects again by itself.')
  expect(text).not.toContain('button')
})

it('the first read failed: whether the page tries again depends on why', () => {
  const page = (error: ApiError, isFinal: boolean) =>
    renderToStaticMarkup(createElement(FailedPage, { error, isFinal, retry: () => {}, busy: false }))
  expect(page(unreachable, false)).toMatch(/The page tries again by itself\..*Try now/)
  expect(page(forbidden, true)).toMatch(
    /No lease could be read yet\. The page does not try again by itself\..*Try again/,
  )
})
