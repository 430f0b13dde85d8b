/** What each room keeps to itself, and how its files are. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Expression, type JSXSpreadAttribute, parseSync, type SpreadElement, Visitor } from 'oxc-parser'
import { expect, it } from 'vitest'
import {
  code,
  edgesOf,
  everyFileIn,
  facade,
  filesIn,
  library,
  roomOf,
  root,
  server,
  targetOf,
  text,
} from './test-tree.ts'

const library_ = filesIn(library)
const edges = edgesOf([library, server, 'lib/client', 'components', 'app'])
const places = ['lib', 'components', 'app', 'scripts', 'e2e', 'bench', 'cluster']
/** Of every place, tests and scripts too. */
const everySource = places.flatMap(everyFileIn).filter((file) => /\.(tsx?|mjs)$/.test(file))

it('time is injected: the library reads no clock and sets no timer outside of time/', () => {
  const wrong = library_.filter(
    (file) =>
      !/\/(time|testing|cli)\//.test(file) &&
      /Date\.now|setTimeout|setInterval|performance\.now/.test(code(file)),
  )
  expect(wrong).toEqual([])
})

it('a page has one clock, which goes on in a suspend: no other file of it reads performance.now()', () => {
  const readers = [...filesIn('lib/client'), ...filesIn('components')].filter((file) =>
    /performance\.now/.test(code(file)),
  )
  // A replay stands still in a suspend.
  expect(readers).toEqual(['lib/client/time/page-clock.ts', 'components/lab/replay/use-replay.ts'])
})

it('all CQL is in one room: named statements with their consistency, before the code that runs them', () => {
  const cql = /\b(SELECT .* FROM|INSERT INTO|UPDATE .* SET|DELETE FROM)\b/
  const withCql = library_.filter((file) => !/\/testing\//.test(file) && cql.test(code(file)))
  const room = `${library}/cassandra/`
  expect(withCql.filter((file) => !file.startsWith(room))).toEqual([])
  expect(withCql.length).toBeGreaterThan(5)
  const wrong = withCql.filter((file) => {
    const before = code(file).split(/^(?:export )?class |\.execute\(/m)
    return !/\bconsistency\b/.test(before[0] ?? '') || before.slice(1).some((part) => cql.test(part))
  })
  expect(wrong).toEqual([])
})

it('CQL of the console is in statements files; the schema has its own', () => {
  const cql = /\b(SELECT .* FROM|INSERT INTO|UPDATE .* SET|DELETE FROM)\b/
  const withCql = filesIn(server).filter(
    (file) => !file.startsWith(`${server}/store/schema/`) && cql.test(code(file)),
  )
  expect(withCql.filter((file) => !file.endsWith('-statements.ts'))).toEqual([])
  expect(withCql.length).toBeGreaterThan(5)
})

it('no file of the server has more than 300 lines, but the table of routes', () => {
  const lines = (file: string) => text(file).split('\n').length - 1
  const long = [...filesIn(server), ...filesIn('lib/contract')].filter((file) => lines(file) > 300)
  expect(long).toEqual(['lib/contract/routes.ts'])
})

/** Rooms that are not divided yet, and how many files each may have. */
const undivided: Record<string, number> = {
  // One file for each command of package.json.
  scripts: Number.POSITIVE_INFINITY,
  [`${library}/lease`]: 25,
  [`${library}/lease/kept`]: 17,
  [`${library}/election`]: 18,
  [`${library}/http`]: 17,
}

it.each([
  library,
  server,
  'lib/contract',
  'lib/client',
  'components',
  'cluster',
  'app/styles',
  'bench',
  'e2e',
  'scripts',
])('each folder of %s holds about a dozen files', (folder) => {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  const counts = new Map<string, number>()
  for (const entry of files)
    if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1)
  const full = [...counts]
    .map(([path, count]) => [relative(root, path), count] as const)
    .filter(([path, count]) => count > (undivided[path] ?? 14) && !/node_modules|\/dist/.test(path))
  expect(full).toEqual([])
})

it('no object is spread out of a literal, to save a line', () => {
  const sources = [library, server, 'lib/contract', 'lib/client', 'components'].flatMap((room) =>
    filesIn(room),
  )
  expect(sources.filter((file) => text(file).includes('...{'))).toEqual([])
})

/** The expression in its parentheses. */
const bare = (expression: Expression): Expression =>
  expression.type === 'ParenthesizedExpression' ? bare(expression.expression) : expression
const isEmptyObject = (expression: Expression) => {
  const object = bare(expression)
  return object.type === 'ObjectExpression' && object.properties.length === 0
}

/** `...(x && { x })` and `...(x ? { x } : {})`. */
function spreadsByCondition(file: string, source: string): boolean {
  let found = false
  const look = ({ argument }: SpreadElement | JSXSpreadAttribute) => {
    const spread = bare(argument)
    if (spread.type === 'LogicalExpression') found ||= spread.operator === '&&'
    if (spread.type === 'ConditionalExpression')
      found ||= isEmptyObject(spread.consequent) || isEmptyObject(spread.alternate)
  }
  new Visitor({ SpreadElement: look, JSXSpreadAttribute: look }).visit(parseSync(file, source).program)
  return found
}

it('no key is spread in by a condition: it may be undefined, or a statement sets it', () => {
  const wrong = everySource.filter(
    (file) => text(file).includes('...(') && spreadsByCondition(file, text(file)),
  )
  expect(wrong).toEqual([])
})

it.each([
  ['{ ...(x !== undefined && { x }) }', true],
  ['{ ...(x === undefined ? {} : { x }) }', true],
  ['{ ...(x ? ({ x }) : ({})) }', true],
  ['[...(x ? [x] : []), ...(x ?? [])]', false],
  ['{ ...(x ? left : right) }', false],
])('%s: a key by a condition: %s', (source, is) =>
  expect(spreadsByCondition('a.ts', `const a = ${source}`)).toBe(is),
)

it('no e2e spec patches the network or waits for a time: a gateway stands in between, and a spec polls', () => {
  // A soak takes samples over time.
  const rule = (file: string) => (file.endsWith('.long.spec.ts') ? /\.route\(/ : /\.(route|waitForTimeout)\(/)
  const wrong = everySource.filter(
    (file) => file.startsWith('e2e/') && !file.startsWith('e2e/pictures/') && rule(file).test(code(file)),
  )
  expect(wrong).toEqual([])
})

it('folders for tests are made in one place, which removes them', () => {
  const published = new Set(library_)
  const makers = everySource.filter((file) => !published.has(file) && /\bmkdtemp(Sync)?\(/.test(code(file)))
  expect(makers).toEqual(['scripts/test/temporary-folder.mjs'])
})

it('the sources that the console uses are those that the package exports', () => {
  const { exports } = JSON.parse(text(`${library}/package.json`)) as {
    exports: Record<string, { default: string } | string>
  }
  const { compilerOptions } = JSON.parse(text('tsconfig.json')) as {
    compilerOptions: { paths: Record<string, string[]> }
  }
  expect(compilerOptions.paths).toEqual({
    leasehold: [`./${facade}`],
    'leasehold/*': [`./${library}/*/index.ts`],
  })
  const exported = Object.entries(exports).map(([subpath, target]) => [
    subpath,
    typeof target === 'string' ? target : target.default,
  ])
  for (const [subpath = '', target] of exported)
    expect(target).toBe(`./dist/${subpath === '.' ? '' : `${subpath.slice(2)}/`}index.js`)
  const used = new Set(
    edges
      .filter(({ specifier }) => specifier.startsWith('leasehold/'))
      .map(({ specifier }) => `.${specifier.slice(9)}`),
  )
  for (const subpath of used) expect(Object.keys(exports)).toContain(subpath)
})

it('the façade is the only barrel: it passes on what rooms export, and no other file passes on another room', () => {
  const passedOn = (file: string) =>
    parseSync(file, text(file)).module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, exportName }) =>
        moduleRequest === null ? [] : [{ from: targetOf(file, moduleRequest.value), name: exportName.name }],
      ),
    )
  const exportedBy = (file: string) =>
    parseSync(file, text(file)).module.staticExports.flatMap(({ entries }) =>
      entries.map(({ exportName }) => exportName.name),
    )
  for (const { from, name } of passedOn(facade)) expect(exportedBy(`${from}/index.ts`)).toContain(name)
  expect(exportedBy(facade)).toHaveLength(passedOn(facade).length)
  const barrels = library_.filter(
    (file) => file !== facade && passedOn(file).some(({ from }) => from !== roomOf(file)),
  )
  expect(barrels).toEqual([])
})

it('the walk of one request names files that are there, each once', () => {
  const page = readFileSync(join(root, 'docs/request.md'), 'utf8')
  const named = [...page.matchAll(/\]\(\.\.\/(lib\/[^)]+)\)/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(new Set(named).size).toBe(named.length)
})
