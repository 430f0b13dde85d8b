/** Sentences on screen name their subject: the holder, another admin, the provider. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

const sources = ['app', 'components', 'lib/client'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|(^|\/)test-/.test(name))
    .map((name) => `${folder}/${name}`),
)

const riddles = /\b(whoever|nobody|somebody|anew|meanwhile)\b/i

/** What a person may get to read: texts of JSX and of strings, those of templates too. Comments and names are none of it. */
function* textsIn(tree: unknown): Generator<string> {
  if (typeof tree !== 'object' || tree === null) return
  const node = tree as { type?: string; value?: unknown }
  if (node.type === 'JSXText' || node.type === 'Literal') {
    if (typeof node.value === 'string') yield node.value
  } else if (node.type === 'TemplateElement') yield (node.value as { cooked: string }).cooked
  for (const part of Object.values(tree)) yield* textsIn(part)
}

const riddlesIn = (file: string, source: string): string[] =>
  [...textsIn(parseSync(file, source).program)].filter((text) => riddles.test(text))

it('no sentence on screen speaks of nobody, somebody or whoever, nor does anything anew or meanwhile', () => {
  expect(sources.length).toBeGreaterThan(200)
  const found = sources.flatMap((file) =>
    riddlesIn(file, readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text.trim()}`),
  )
  expect(found).toEqual([])
})

/** The console cannot see an old holder stop: its deadline is a promise of its program. */
it('no sentence says as a fact that an old holder has stopped', () => {
  const asFact = /\bha(s|d) stopped\b|\bstopped by its own clock\b|Its TTL (is|was) over/i
  const found = sources.flatMap((file) =>
    [...textsIn(parseSync(file, readFileSync(join(root, file), 'utf8')).program)]
      .map((text) => text.replace(/\s+/g, ' ').trim())
      .filter((text) => asFact.test(text))
      .map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})

it('finds such a sentence, and none in a comment', () => {
  const source =
    "// nobody\nconst a = 'Nobody knows.'; const b = `${a}: whoever`; const c = <p>Draw it anew</p>"
  expect(riddlesIn('a.tsx', source)).toEqual(['Nobody knows.', ': whoever', 'Draw it anew'])
})
