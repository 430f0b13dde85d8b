/** What the build takes for files of the project. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { filesIn, library, root } from './test-tree.ts'

/** Each node of a syntax tree. */
function* nodesOf(tree: unknown): Generator<Record<string, unknown>> {
  if (typeof tree !== 'object' || tree === null) return
  if ('type' in tree) yield tree as Record<string, unknown>
  for (const part of Object.values(tree)) yield* nodesOf(part)
}

interface Callee {
  name?: string
  end: number
  object?: { name?: string }
  property?: { name?: string }
}

/** What looks for a file that is there. What writes one does not concern the build. */
const readsFiles =
  /^(realpath|l?stat|access|exists|open|opendir|readFile|readdir|readlink|createReadStream)(Sync)?$/

/** Calls of `node:fs` on a path that is no text in the source, without a mark that keeps the build away from it. */
function tracedPathsIn(source: string): string[] {
  const { program, module } = parseSync('file.ts', source)
  const names = new Map(
    module.staticImports
      .filter(({ moduleRequest }) => /^(node:)?fs(\/promises)?$/.test(moduleRequest.value))
      .flatMap(({ entries }) =>
        entries.map(({ localName, importName }) => [localName.value, importName.name] as const),
      ),
  )
  const calls = [...nodesOf(program)].filter(({ type }) => type === 'CallExpression')
  return calls.flatMap(({ callee, arguments: given }) => {
    const of = callee as Callee
    const [path] = given as { type: string; start: number; end: number }[]
    const name = names.has(of.object?.name ?? '') ? of.property?.name : names.get(of.name ?? '')
    const isFs = readsFiles.test(name ?? '')
    if (!isFs || path === undefined || path.type === 'Literal') return []
    const isIgnored = source.slice(of.end, path.start).includes('turbopackIgnore: true')
    return isIgnored ? [] : [source.slice(of.end - 20, path.end).trim()]
  })
}

describe('what the build traces', () => {
  it('a computed path of a file is none of its business: it would take it for any file of the project', () => {
    const traced = ['lib/console', 'lib/contract', 'lib/client', 'app', 'components', `${library}/cassandra`]
    const wrong = traced
      .flatMap(filesIn)
      .flatMap((file) =>
        tracedPathsIn(readFileSync(join(root, file), 'utf8')).map((call) => `${file}: ${call}`),
      )
    expect(wrong).toEqual([])
  })

  it('finds such a path', () => {
    const fs = "import { readFileSync as read } from 'node:fs'\nimport * as all from 'node:fs/promises'\n"
    expect(tracedPathsIn(`${fs}read(file)`)).toHaveLength(1)
    expect(tracedPathsIn(`${fs}all.open(join(a, 'b'))`)).toHaveLength(1)
    expect(tracedPathsIn(`${fs}read('a'); read(/* turbopackIgnore: true */ file); other(file)`)).toEqual([])
  })
})
