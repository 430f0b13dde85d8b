/** An export that no other file imports is one that its readers look for in vain: it is deleted, or not exported. */
import { readdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { everyFileIn, library, root, text } from './test-tree.ts'

const folders = ['lib', 'components', 'scripts', 'app', 'e2e', 'bench', 'cluster']
const files = [...readdirSync(root), ...folders.flatMap(everyFileIn)].filter((file) =>
  /\.(tsx?|mjs)$/.test(file),
)

/** Imports everything, or it is not known what. */
const all = '*'

interface Wiring {
  /** Names that a file exports of its own, or passes on. */
  exports: string[]
  /** Files and the names that are imported of them. */
  imports: { from: string; name: string }[]
}

/** The file that a specifier names; null: a package. */
function fileOf(importer: string, specifier: string): string | null {
  if (specifier === 'leasehold') return `${library}/index.ts`
  if (specifier.startsWith('leasehold/')) return `${library}/${specifier.slice(10)}/index.ts`
  return specifier.startsWith('.') ? relative(root, resolve(root, importer, '..', specifier)) : null
}

function wiringOf(file: string, source: string): Wiring {
  const { module } = parseSync(file, source)
  const imported = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName }) => ({
      specifier: moduleRequest.value,
      name:
        importName.kind === 'Name'
          ? (importName.name as string)
          : importName.kind === 'Default'
            ? 'default'
            : all,
    })),
  )
  const entries = module.staticExports.flatMap((statement) => statement.entries)
  const passedOn = entries.flatMap(({ moduleRequest, importName }) =>
    moduleRequest === null ? [] : [{ specifier: moduleRequest.value, name: importName.name ?? all }],
  )
  // Of a module that comes later, or in a type, all may be used.
  const later = [...source.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, specifier = '']) => ({
    specifier,
    name: all,
  }))
  return {
    exports: entries.flatMap(({ exportName }) =>
      exportName.kind === 'Default' ? ['default'] : (exportName.name ?? []),
    ),
    imports: [...imported, ...passedOn, ...later].flatMap(({ specifier, name }) => {
      const from = fileOf(file, specifier)
      return from === null ? [] : [{ from, name }]
    }),
  }
}

/** `file: name` for each export of these files that no other one of them imports. */
function unusedIn(sources: ReadonlyMap<string, string>): string[] {
  const wirings = new Map([...sources].map(([file, source]) => [file, wiringOf(file, source)]))
  const used = new Set(
    [...wirings.values()].flatMap(({ imports }) => imports.map(({ from, name }) => `${from}: ${name}`)),
  )
  return [...wirings].flatMap(([file, { exports }]) =>
    used.has(`${file}: ${all}`)
      ? []
      : exports.map((name) => `${file}: ${name}`).filter((each) => !used.has(each)),
  )
}

/** Applications import these from the package. */
const entryPoints = new RegExp(`^${library}/([\\w-]+/)?index\\.ts$`)
/** Files whose exports Next, Playwright or Vitest read, a program that is compiled by itself, and declarations of packages. */
const readElsewhere = /^(app\/|e2e\/|bench\/|cluster\/run\.ts$|[^/]+$)|\/package-consumer\.ts$|\.d\.[mc]?ts$/
/** Scripts import what was compiled of the console, by the path below lib/console. */
const compiled = new Set(
  files
    .filter((file) => file.endsWith('.mjs'))
    .flatMap((file) => [...text(file).matchAll(/['/]([\w-]+(?:\/[\w-]+)+)(?:\.js)?'/g)])
    .flatMap(([, path = '']) => [
      `lib/console/${path}.ts`,
      `lib/console/${path.replace(/^.*dist\//, '')}.ts`,
    ]),
)

it('each export of lib, components and scripts is imported by another file', () => {
  const sources = new Map(files.map((file) => [file, text(file)]))
  expect(sources.size).toBeGreaterThan(500)
  const unused = unusedIn(sources).filter((each) => {
    const file = each.slice(0, each.indexOf(':'))
    return !entryPoints.test(file) && !readElsewhere.test(file) && !compiled.has(file)
  })
  expect(unused).toEqual([])
})

it('finds an export that no other file imports', () => {
  const sources = new Map([
    [
      'a.ts',
      "import { used } from './b.ts'\nexport const own = used\nimport type { T } from './b.ts'\nexport type U = T",
    ],
    ['b.ts', 'export const used = 1\nexport const unused = used\nexport interface T {}\nexport default 1'],
    [
      'c.ts',
      "import * as a from './a.ts'\nconst d = await import('./d.ts')\nexport { later as again } from './e.ts'",
    ],
    ['d.ts', 'export const some = 1'],
    ['e.ts', 'export const later = 1, never = 2'],
  ])
  expect(unusedIn(sources)).toEqual(['b.ts: unused', 'b.ts: default', 'c.ts: again', 'e.ts: never'])
})
