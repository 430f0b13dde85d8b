import { describe, expect, it } from 'vitest'
import { arrowsMove } from './arrows-move.ts'

const element = (tagName: string, { id = '', within = '' } = {}) => ({
  tagName,
  id,
  closest: (selector: string) => (selector === within ? {} : null),
})

describe('the arrows move among the rows', () => {
  it('from a row', () => {
    expect(arrowsMove(element('A', { within: '.rows' }), { covered: false, shift: false })).toBe(true)
  })

  it('from a fresh page, on which nothing was chosen yet, and from its main part', () => {
    expect(arrowsMove(element('BODY'), { covered: false, shift: false })).toBe(true)
    expect(arrowsMove(element('MAIN', { id: 'main' }), { covered: false, shift: false })).toBe(true)
  })

  it('from a button that was pressed, as a filter is', () => {
    expect(arrowsMove(element('BUTTON'), { covered: false, shift: false })).toBe(true)
  })

  it('not from a link, or from a button that has the arrows for itself', () => {
    const within = '[aria-haspopup], [role=radiogroup], [role=tablist], [role=toolbar]'
    expect(arrowsMove(element('BUTTON', { within }), { covered: false, shift: false })).toBe(false)
    expect(arrowsMove(element('A'), { covered: false, shift: false })).toBe(false)
    expect(arrowsMove(null, { covered: false, shift: false })).toBe(false)
  })

  it('not from the page while a dialog or a menu lies over it, or while Shift selects its text', () => {
    expect(arrowsMove(element('BODY'), { covered: true, shift: false })).toBe(false)
    expect(arrowsMove(element('BODY'), { covered: false, shift: true })).toBe(false)
  })
})
