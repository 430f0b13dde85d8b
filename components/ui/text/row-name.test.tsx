import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { RowName } from './row-name.tsx'

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
