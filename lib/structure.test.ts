/** The house: who may import whom (CONTRIBUTING.md: rooms import one way), and what each room keeps to itself. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { publicFiles } from './console/http/public-files.ts'

const root = resolve(import.meta.dirname, '..')
const isTest = (file: string) => /\.test\.tsx?$|\/test-[\w-]+\.ts$|^lib\/leasehold\/test\//.test(file)

function allFilesIn(folder: string): string[] {
  if (folder.endsWith('.ts')) return [folder]
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/node_modules|\/dist\//.test(file))
}

const filesIn = (folder: string): string[] => allFilesIn(folder).filter((file) => !isTest(file))

/** A room is the part of a path that has rules of its own. */
function roomOf(path: string): string {
  const parts = path.split('/')
  if (/^lib\/(leasehold|console)\//.test(path)) return parts.slice(0, 3).join('/')
  if (parts[0] === 'lib') return parts.slice(0, 2).join('/')
  return parts[0] as string
}

function importsOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  return [
    ...module.staticImports.map((statement) => statement.moduleRequest.value),
    ...module.staticExports.flatMap((statement) =>
      statement.entries.map((entry) => entry.moduleRequest?.value ?? ''),
    ),
    ...module.dynamicImports.map((expression) =>
      readFileSync(join(root, file), 'utf8').slice(
        expression.moduleRequest.start + 1,
        expression.moduleRequest.end - 1,
      ),
    ),
  ].filter((specifier) => specifier !== '')
}

/** The first circle of imports, as a path that ends where it begins; empty: there is none. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): string[] => {
    const at = path.indexOf(file)
    if (at !== -1) return [...path.slice(at), file]
    if (done.has(file)) return []
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next)
      if (circle.length > 0) return circle
    }
    path.pop()
    done.add(file)
    return []
  }
  for (const file of graph.keys()) {
    const circle = visit(file)
    if (circle.length > 0) return circle
  }
  return []
}

/** Where an import leads: a room of ours, or a package by name. */
function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return roomOf(relative(root, resolve(root, dirname(file), specifier)))
  if (specifier === 'leasehold') return facade
  if (/^leasehold\/./.test(specifier)) return `lib/${specifier}`
  return specifier.startsWith('node:') ? 'node' : specifier
}

const library = 'lib/leasehold'
/** What applications import by the package's own name. */
const facade = `${library}/index.ts`
const protocol = [`${library}/lease`, `${library}/time`, `${library}/telemetry`]
/** Rooms that say what they ask of a store, which the rooms of the stores implement. */
const ports = [
  `${library}/election`,
  `${library}/lock`,
  `${library}/sequence`,
  `${library}/bakery`,
  `${library}/history`,
]
const server = 'lib/console'
const serverRoom = (name: string) => `${server}/${name}`
const serverRooms = [
  'http',
  'store',
  'audit',
  'leases',
  'watch',
  'history',
  'doctor',
  'people',
  'releases',
  'programs',
  'metrics',
  'lab',
].map(serverRoom)
const libraryForRooms = [
  ...protocol,
  `${library}/election`,
  `${library}/lock`,
  `${library}/sequence`,
  `${library}/operator`,
  `${library}/cassandra`,
  `${library}/doctor`,
  `${library}/history`,
]
/** Each room, and the rooms that it may import besides itself. Packages have rules of their own below. */
const allowed: Record<string, string[]> = {
  [`${library}/time`]: [],
  [`${library}/telemetry`]: [],
  [`${library}/lease`]: [`${library}/time`, `${library}/telemetry`],
  [`${library}/opentelemetry`]: [`${library}/telemetry`],
  [`${library}/operator`]: protocol,
  [`${library}/lock`]: protocol,
  [`${library}/sequence`]: protocol,
  [`${library}/election`]: protocol,
  [`${library}/bakery`]: protocol,
  [`${library}/history`]: protocol,
  [`${library}/cassandra`]: [...protocol, ...ports],
  [`${library}/doctor`]: [...protocol, `${library}/cassandra`],
  [`${library}/testing`]: [...protocol, ...ports, `${library}/operator`],
  [`${library}/http`]: [...protocol, ...ports],
  [`${library}/cli`]: [...protocol, ...ports, `${library}/cassandra`, `${library}/doctor`, `${library}/http`],
  [facade]: [...protocol, ...ports, `${library}/operator`, `${library}/cassandra`],
  'lib/contract': [],
  'lib/client': ['lib/contract'],
  // Of the server: http knows no room, each room its neighbours, and start alone knows all.
  [`${server}/http`]: ['lib/contract', ...libraryForRooms],
  [`${server}/store`]: ['lib/contract', ...libraryForRooms, `${server}/http`],
  [`${server}/audit`]: ['lib/contract', ...libraryForRooms, `${server}/http`, `${server}/store`],
  [`${server}/leases`]: ['lib/contract', ...libraryForRooms, `${server}/http`],
  [`${server}/watch`]: ['lib/contract', ...libraryForRooms, ...['http', 'leases'].map(serverRoom)],
  [`${server}/history`]: [
    'lib/contract',
    ...libraryForRooms,
    ...['http', 'leases', 'watch', 'store'].map(serverRoom),
  ],
  [`${server}/doctor`]: ['lib/contract', ...libraryForRooms, ...['http', 'leases'].map(serverRoom)],
  [`${server}/people`]: ['lib/contract', ...libraryForRooms, ...['http', 'store', 'audit'].map(serverRoom)],
  [`${server}/releases`]: [
    'lib/contract',
    ...libraryForRooms,
    ...['http', 'store', 'audit', 'leases'].map(serverRoom),
  ],
  [`${server}/programs`]: [
    'lib/contract',
    ...libraryForRooms,
    ...['http', 'store', 'audit', 'leases', 'releases'].map(serverRoom),
  ],
  [`${server}/metrics`]: ['lib/contract', ...libraryForRooms, ...['http', 'audit', 'leases'].map(serverRoom)],
  [`${server}/lab`]: [
    'lib/contract',
    ...libraryForRooms,
    `${library}/bakery`,
    // The laws of the library’s own tests judge a run.
    `${library}/testing`,
    ...['http', 'store', 'audit'].map(serverRoom),
  ],
  [`${server}/start`]: ['lib/contract', ...libraryForRooms, ...serverRooms],
  components: ['lib/contract', 'lib/client'],
  app: ['components', 'lib/client', 'lib/contract', `${server}/start`, `${server}/http`],
}
const rooms = Object.keys(allowed)
const edges = rooms.flatMap((room) =>
  filesIn(room).flatMap((file) =>
    importsOf(file).map((specifier) => ({ room, file, specifier, target: targetOf(file, specifier) })),
  ),
)

describe('imports go one way', () => {
  it('sees the house as it is', () => {
    expect(new Set(edges.map(({ room }) => room))).toEqual(new Set(rooms))
    expect(edges.length).toBeGreaterThan(100)
  })

  it.each(rooms)('%s', (room) => {
    const isRoom = (target: string) => /^(lib|components|app|e2e|scripts)(\/|$)/.test(target)
    const wrong = edges
      .filter(
        (edge) =>
          edge.room === room &&
          isRoom(edge.target) &&
          edge.target !== room &&
          !allowed[room]?.includes(edge.target),
      )
      .map(({ file, specifier }) => `${file} imports ${specifier}`)
    expect(wrong).toEqual([])
  })

  it('the console uses the library through its public exports', () => {
    const inside = edges.filter(
      ({ room, specifier }) => room.startsWith(`${server}/`) && specifier.includes('../leasehold/'),
    )
    expect(inside).toEqual([])
  })

  it('the driver is imported by one room alone', () => {
    const rooms = edges.filter(({ specifier }) => specifier === 'cassandra-driver').map(({ room }) => room)
    expect(new Set(rooms)).toEqual(new Set([`${library}/cassandra`]))
  })

  it.each([library, server, 'lib/contract', 'lib/client', 'components', 'app', 'cluster'])(
    'no file of %s imports itself, over however many others, not even for a type',
    (folder) => {
      const files = allFilesIn(folder)
      const graph = new Map(
        files.map((file) => [
          file,
          importsOf(file)
            .filter((specifier) => specifier.startsWith('.'))
            .map((specifier) => relative(root, resolve(root, dirname(file), specifier))),
        ]),
      )
      expect(circleIn(graph)).toEqual([])
    },
  )

  it('finds a circle', () => {
    const graph = { a: ['b'], b: ['c', 'd'], c: [], d: ['b'] }
    expect(circleIn(new Map(Object.entries(graph)))).toEqual(['b', 'd', 'b'])
  })

  it('the library knows neither Next nor React, nor zod, nor the console', () => {
    const foreign = edges.filter(
      ({ room, specifier }) =>
        room.startsWith(library) &&
        /^(next|react|zod|prom-client|@)/.test(specifier) &&
        !(room === `${library}/opentelemetry` && specifier === '@opentelemetry/api'),
    )
    expect(foreign).toEqual([])
  })

  it('of OpenTelemetry the library imports types alone: the package need not be there', () => {
    const files = [
      ...new Set(edges.filter(({ specifier }) => specifier.startsWith('@')).map(({ file }) => file)),
    ]
    const ofLibrary = files.filter((file) => file.startsWith(library))
    expect(ofLibrary.length).toBeGreaterThan(0)
    for (const file of ofLibrary) {
      const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'))
      const imports = module.staticImports.filter(({ moduleRequest }) => moduleRequest.value.startsWith('@'))
      expect(imports.flatMap(({ entries }) => entries.filter(({ isType }) => !isType))).toEqual([])
    }
  })
})

describe('house rules', () => {
  const library_ = filesIn(library)
  const text = (file: string) => readFileSync(join(root, file), 'utf8')
  const code = (file: string) => text(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')

  it('time is injected: the library reads no clock and sets no timer outside of time/', () => {
    const wrong = library_.filter(
      (file) =>
        !/\/(time|testing|cli)\//.test(file) &&
        /Date\.now|setTimeout|setInterval|performance\.now/.test(code(file)),
    )
    expect(wrong).toEqual([])
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

  it.each([
    `${library}/cassandra`,
    `${library}/cli`,
    server,
    'lib/contract',
    'lib/client',
    'components',
    'cluster',
  ])('each folder of %s holds about a dozen files', (folder) => {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    const counts = new Map<string, number>()
    for (const entry of files)
      if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1)
    const full = [...counts]
      .map(([path, count]) => [relative(root, path), count] as const)
      .filter(([path, count]) => count > 13 && !path.includes('/dist'))
      .map(([path]) => path)
    expect(full).toEqual([])
  })

  it('folders for tests are made in one place, which removes them', () => {
    const places = ['lib', 'components', 'app', 'scripts', 'e2e', 'bench', 'cluster']
    const sources = places.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .filter((file) => !/node_modules|\/dist\//.test(file)),
    )
    const published = new Set(library_)
    const makers = sources.filter((file) => !published.has(file) && /\bmkdtemp(Sync)?\(/.test(code(file)))
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
          moduleRequest === null
            ? []
            : [{ from: targetOf(file, moduleRequest.value), name: exportName.name }],
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
})

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

describe('what the server says to browsers', () => {
  const text = (file: string) => readFileSync(join(root, file), 'utf8')
  const code = (file: string) => text(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const ours = ['app', 'components', 'lib/client', 'lib/console', 'lib/contract'].flatMap(filesIn)

  it.each([
    ['Server Actions, which are a second way in beside the API', /['"]use server['"]/],
    [
      'a cache of pages, which would be shared by people',
      /['"]use cache['"]|unstable_cache|revalidate(Path|Tag)/,
    ],
    ['the image optimiser, which fetches for any sender', /['"]next\/(legacy\/)?image['"]/],
    ['HTML made of text', /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write/],
    ['code made of text', /\beval\(|new Function\(/],
  ])('uses none of: %s', (_, forbidden) => {
    expect(ours.length).toBeGreaterThan(100)
    expect(ours.filter((file) => forbidden.test(code(file)))).toEqual([])
  })

  it('proxy.ts decides nothing: it knows neither the sender nor the purpose, and refuses no request', () => {
    expect(importsOf('proxy.ts')).toEqual(['next/server', './lib/console/http/security-headers.ts'])
    expect(code('proxy.ts')).not.toMatch(
      /cookie|session|role|authoriz|pathname|nextUrl|redirect|rewrite|\.json\(/i,
    )
    expect(code('proxy.ts').match(/return /g)).toHaveLength(1)
  })
})

it('each file of public/ is one that browsers get without a session, and without a policy of a page', () => {
  const files = readdirSync(join(root, 'public')).map((name) => `/${name}`)
  expect(new Set(files)).toEqual(publicFiles)
  const [, pattern = ''] = readFileSync(join(root, 'proxy.ts'), 'utf8').match(/'(\/\(\(\?!.*)'/) ?? []
  const isPage = new RegExp(`^${pattern.replaceAll('\\\\', '\\')}$`)
  expect(['/', '/no-such-page', '/leases/icon.svg'].every((path) => isPage.test(path))).toBe(true)
  expect(files.filter((path) => isPage.test(path))).toEqual([])
})

it('the walk of one request names files that are there, each once', () => {
  const page = readFileSync(join(root, 'docs/request.md'), 'utf8')
  const named = [...page.matchAll(/\]\(\.\.\/(lib\/[^)]+)\)/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(new Set(named).size).toBe(named.length)
})
