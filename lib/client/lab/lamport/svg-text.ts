/** SVG as text. Values and CQL come from anywhere: all text is escaped, and what XML has no place for is left out. */

type Attributes = Readonly<Record<string, string | number>>

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const notInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

export const escaped = (text: string): string =>
  text.replace(notInXml, '').replace(/[&<>"']/g, (character) => escapes[character] ?? '')

/** Numbers have one digit after the point. */
export const attributes = (all: Attributes): string =>
  Object.entries(all)
    .map(
      ([name, value]) =>
        ` ${name}="${typeof value === 'number' ? Math.round(value * 10) / 10 : escaped(value)}"`,
    )
    .join('')

/** @param inside markup, not text */
export const element = (name: string, of: Attributes, inside = ''): string =>
  inside === '' ? `<${name}${attributes(of)}/>` : `<${name}${attributes(of)}>${inside}</${name}>`

export const textElement = (name: string, of: Attributes, text: string): string =>
  `<${name}${attributes(of)}>${escaped(text)}</${name}>`
