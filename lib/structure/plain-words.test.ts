/**
 * Comments, messages, names of tests and documentation name their subject: the holder, the caller, the operator, the
 * row. `words-on-screen.test.ts` looks at what the browser shows.
 */
import { readdirSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { everyFileIn, root, text } from './test-tree.ts'

const riddles =
  /\b(whoever|whomever|nobody|somebody|anybody|everybody|anew|told(?! ?[(=])|hears? of it|heard of it|by it|what is there|of which|it is so that)\b/i

/** These two list the riddles. */
const lists = ['lib/structure/plain-words.test.ts', 'lib/structure/words-on-screen.test.ts']

const folders = ['app', 'bench', 'cluster', 'components', 'docs', 'e2e', 'lib', 'scripts']
const files = [
  ...readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name),
  ...folders.flatMap(everyFileIn),
].filter((file) => /\.(tsx?|mjs|css|py|java|toml|md)$/.test(file) && !lists.includes(file))

/** Texts of strings and JSX. One without a space is a name or a value. */
function* stringsIn(tree: unknown): Generator<string> {
  if (typeof tree !== 'object' || tree === null) return
  const node = tree as { type?: string; value?: unknown }
  const text = node.type === 'TemplateElement' ? (node.value as { cooked: string | null }).cooked : node.value
  const isText = node.type === 'Literal' || node.type === 'JSXText' || node.type === 'TemplateElement'
  if (isText && typeof text === 'string' && text.trim().includes(' ')) yield text
  for (const part of Object.values(tree)) yield* stringsIn(part)
}

/** What people read in a file: comments and strings of a program, a page without its code. */
function textsIn(file: string, source: string): string[] {
  if (/\.(tsx?|mjs)$/.test(file)) {
    const { program, comments } = parseSync(file, source)
    return [...comments.map(({ value }) => value), ...stringsIn(program)]
  }
  if (file.endsWith('.md')) return source.replace(/```[\s\S]*?```|`[^`]*`/g, '').split(/\n\s*\n/)
  if (file.endsWith('.css') || file.endsWith('.java')) return source.match(/\/\*[\s\S]*?\*\/|\/\/.*/g) ?? []
  return source.match(/#.*/g) ?? []
}

/** Each riddle with the words around it, on one line however it was wrapped. */
const riddlesIn = (file: string, source: string): string[] =>
  textsIn(file, source)
    .map((text) => text.replace(/\s+(\*\s+)?/g, ' ').trim())
    .filter((text) => riddles.test(text))
    .flatMap((text) => [...text.matchAll(new RegExp(`.{0,50}${riddles.source}.{0,50}`, 'gi'))])
    .map(([around]) => around.trim())

it('no comment, message, name of a test or page speaks in riddles', () => {
  expect(files.length).toBeGreaterThan(900)
  const found = files.flatMap((file) => riddlesIn(file, text(file)).map((around) => `${file}: ${around}`))
  expect(found).toEqual([])
})

it.each([
  ['a.ts', '/** Sealed\n * anew. */ const nobody = { people: "anybody" }', ['* Sealed anew.']],
  ['a.mjs', "throw new Error(`No lease, of which nothing is known`) // Nobody's.", 2],
  ['a.css', '.told { color: red } /* nobody knows */', 1],
  ['a.md', 'The holder\nis told of\nit.\n\n```sh\necho nobody # told\n```\nWrite `anew`.', 1],
])('finds riddles in %s, and none in names and code', (file, source, found) => {
  const riddles = riddlesIn(file, source)
  if (typeof found === 'number') expect(riddles).toHaveLength(found)
  else expect(riddles).toEqual(found)
})
