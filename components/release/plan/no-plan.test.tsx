import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ApiError } from '../../../lib/client/call/api-error.ts'
import { NoPlan } from './no-plan.tsx'

const buttons = (code: 'forbidden' | 'read-only' | 'cassandra-unavailable' | 'not-held') => {
  const html = renderToStaticMarkup(
    createElement(NoPlan, {
      error: new ApiError({ code, status: 400 }),
      planning: false,
      lock: null,
      onAgain: () => {},
      onClose: () => {},
    }),
  )
  return [...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, text]) => text)
}

it('a person who may not plan is offered the way out alone: the next plan would be refused as well', () => {
  expect(buttons('forbidden')).toEqual(['Close'])
  expect(buttons('read-only')).toEqual(['Close'])
})

it('what may go otherwise the next time can be planned again', () => {
  expect(buttons('cassandra-unavailable')).toEqual(['Close', 'Plan again'])
  expect(buttons('not-held')).toEqual(['Close', 'Plan again'])
})
