/** Sentences on screen name their subject: the holder, another admin, the provider. */
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { filesIn, text } from './test-tree.ts'

const sources = ['app', 'components', 'lib/client'].flatMap(filesIn)

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
  [...textsIn(parseSync(file, source).program)].filter((said) => riddles.test(said))

it('no sentence on screen speaks of nobody, somebody or whoever, nor does anything anew or meanwhile', () => {
  expect(sources.length).toBeGreaterThan(200)
  const found = sources.flatMap((file) =>
    riddlesIn(file, text(file)).map((said) => `${file}: ${said.trim()}`),
  )
  expect(found).toEqual([])
})

/** The console cannot see an old holder stop: its deadline is a promise of its program. */
it('no sentence says as a fact that an old holder has stopped', () => {
  const asFact = /\bha(s|d) stopped\b|\bstopped by its own clock\b|Its TTL (is|was) over/i
  const found = sources.flatMap((file) =>
    [...textsIn(parseSync(file, text(file)).program)]
      .map((said) => said.replace(/\s+/g, ' ').trim())
      .filter((said) => asFact.test(said))
      .map((said) => `${file}: ${said}`),
  )
  expect(found).toEqual([])
})

it('finds such a sentence, and none in a comment', () => {
  const source =
    "// nobody\nconst a = 'Nobody knows.'; const b = `${a}: whoever`; const c = <p>Draw it anew</p>"
  expect(riddlesIn('a.tsx', source)).toEqual(['Nobody knows.', ': whoever', 'Draw it anew'])
})
