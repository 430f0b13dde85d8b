/** The house: who may import whom (CONTRIBUTING.md: rooms import one way). */
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { allFilesIn, edgesOf, facade, importsOf, library, root, server, targetOf } from './test-tree.ts'

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

const protocol = [`${library}/lease`, `${library}/time`, `${library}/telemetry`]
/** Rooms that say what they ask of a store, which the rooms of the stores implement. */
const ports = [
  `${library}/election`,
  `${library}/lock`,
  `${library}/sequence`,
  `${library}/bakery`,
  `${library}/history`,
]
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
  [`${library}/cli`]: [
    ...protocol,
    ...ports,
    `${library}/operator`,
    `${library}/cassandra`,
    `${library}/doctor`,
    `${library}/http`,
  ],
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
const edges = edgesOf(rooms)
const isRoom = (target: string) => /^(lib|components|app|e2e|scripts|bench|cluster)(\/|$)/.test(target)
/** What a file of the room imports of this repository, and may not. */
const wrongOf = (room: string, imported: typeof edges) =>
  imported
    .filter(
      (edge) =>
        edge.room === room &&
        isRoom(edge.target) &&
        edge.target !== room &&
        !allowed[room]?.includes(edge.target),
    )
    .map(({ file, specifier }) => `${file} imports ${specifier}`)

describe('imports go one way', () => {
  it('sees the house as it is', () => {
    expect(new Set(edges.map(({ room }) => room))).toEqual(new Set(rooms))
    expect(edges.length).toBeGreaterThan(100)
  })

  it.each(rooms)('%s', (room) => {
    expect(wrongOf(room, edges)).toEqual([])
  })

  it.each(['scripts', 'e2e', 'bench', 'cluster'])('finds a room that imports %s', (folder) => {
    const [room, file, specifier] = [`${server}/http`, `${server}/http/router.ts`, `../../../${folder}/run`]
    const edge = { room, file, specifier, target: targetOf(file, specifier) }
    expect(wrongOf(room, [edge])).toEqual([`${file} imports ${specifier}`])
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
