import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { alikeNames, RowName } from './row-name.tsx'

const markup = (name: string) => renderToStaticMarkup(createElement(RowName, { name }))
/** What is drawn: the text outside of what is left out, and the marks of what cannot be seen. */
const drawn = (name: string) =>
  markup(name)
    .replace(/<span class="between"><span>.*?<\/span><\/span>/s, '…')
    .replace(/<span class="unseen" data-as="(.*?)">.*?<\/span>/gs, '[$1]')
    .replace(/<.*?>/gs, '')
const copied = (name: string) => markup(name).replace(/<.*?>/gs, '')

describe('a name in a row', () => {
  it.each([
    ['x/été', 'x/été'],
    ['x /été', 'x[·]/été'],
    ['x/ été', 'x/[·]été'],
    ['a b', 'a[·]b'],
    ['a  b', 'a[··]b'],
    [' lead/trail ', '[·]lead/trail[·]'],
    ['x\u200by/z', 'x[U+200B]y/z'],
  ])('%j is drawn as %s: two names that differ by a space looked the same', (name, shown) => {
    expect(drawn(name)).toBe(shown)
    expect(copied(name)).toBe(name)
  })

  it('is cut in its middle, so that its end stays in sight, and copied whole', () => {
    const long = `x/${'very-long-name-'.repeat(15)}`
    expect(drawn(`${long}end`)).toMatch(/^x\/very-long-name-very-.*….*-name-end$/)
    expect(drawn(`${long}ENX`)).toMatch(/….*-name-ENX$/)
    expect(drawn(`${long}end`).length).toBeLessThan(70)
    expect(copied(`${long}end`)).toBe(`${long}end`)
    expect(drawn('n'.repeat(60))).toBe('n'.repeat(60))
  })
})

describe('names that look alike when what leads to their leaves is shortened', () => {
  it('are those of one leaf', () => {
    const names = ['tenants/a-1/leader', 'tenants/a-2/leader', 'tenants/a-1/follower', 'leader']
    expect([...alikeNames(names)].sort()).toEqual(['leader', 'tenants/a-1/leader', 'tenants/a-2/leader'])
  })

  it('are those of leaves that differ where they are cut', () => {
    const leaf = (middle: string) => `${'x'.repeat(40)}${middle}${'y'.repeat(40)}`
    expect(alikeNames([`a/${leaf('1')}`, `b/${leaf('2')}`]).size).toBe(2)
    expect(alikeNames([`a/${leaf('1')}`, `b/${leaf('2')}z`]).size).toBe(0)
  })

  it('does not count one name twice', () => {
    expect(alikeNames(['a/leader', 'a/leader'])).toEqual(new Set())
  })
})

it('a name that is shown whole has no part that gives way', () => {
  const drawnAs = (isWhole: boolean) =>
    renderToStaticMarkup(createElement(RowName, { name: 'tenants/a-1/leader', isWhole }))
  expect(drawnAs(false)).toContain('lead')
  expect(drawnAs(true)).not.toContain('class="dim lead"')
  expect(drawnAs(true)).toContain('whole')
})

describe('what leads to a leaf that needs more than a line', () => {
  const givesWay = (name: string) => markup(name).includes('class="dim lead"')

  it('is whole: the name takes a second line anyway', () => {
    expect(givesWay('reports/minutely#2026-11-28T12:20:00.000Z')).toBe(false)
    expect(drawn(`long/${'x'.repeat(200)}`)).toMatch(/^long\/x+…x+$/)
    expect(givesWay(`long/${'x'.repeat(200)}`)).toBe(false)
  })

  it('gives way where it is long itself, and before a leaf of one line', () => {
    expect(givesWay(`${'team-'.repeat(40)}/minutely#2026-11-28T12:20:00.000Z`)).toBe(true)
    expect(givesWay('tenants/a-1/leader')).toBe(true)
  })
})
