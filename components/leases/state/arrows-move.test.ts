import { describe, expect, it } from 'vitest'
import { arrowsMove, isLeftToRows } from './arrows-move.ts'

const element = (tagName: string, { id = '', within = '' } = {}) => ({
  tagName,
  id,
  closest: (selector: string) => (selector === within ? {} : null),
})

describe('the arrows move among the rows', () => {
  it('from a row', () => {
    expect(arrowsMove(element('A', { within: '.rows' }), false)).toBe(true)
  })

  it('from a fresh page, on which nothing was chosen yet, and from its main part', () => {
    expect(arrowsMove(element('BODY'), false)).toBe(true)
    expect(arrowsMove(element('MAIN', { id: 'main' }), false)).toBe(true)
  })

  it('from a button that was pressed, as a filter is', () => {
    expect(arrowsMove(element('BUTTON'), false)).toBe(true)
  })

  it('not from a link, or from a button that has the arrows for itself', () => {
    const within = '[aria-haspopup], [role=radiogroup], [role=tablist], [role=toolbar]'
    expect(arrowsMove(element('BUTTON', { within }), false)).toBe(false)
    expect(arrowsMove(element('A'), false)).toBe(false)
    expect(arrowsMove(null, false)).toBe(false)
  })

  it('not from the page while Shift selects its text', () => {
    expect(arrowsMove(element('BODY'), true)).toBe(false)
  })
})

it('a row that comes late takes the focus from the rows and from nothing, not from the search or a dialog', () => {
  expect(isLeftToRows(element('A', { within: '.rows' }))).toBe(true)
  expect(isLeftToRows(element('BODY'))).toBe(true)
  expect(isLeftToRows(null)).toBe(true)
  expect(isLeftToRows(element('INPUT'))).toBe(false)
  expect(isLeftToRows(element('BUTTON', { within: '[role=dialog]' }))).toBe(false)
})
