/**
 * For the documentation's test alone: makes of each block a module that can be type-checked and run.
 *
 * A block of a page stays as it is. An `@example` gets one line above it, which imports what it uses and does not
 * declare: exports of its own file, exports of the package, names of the prelude.
 * In both, `substitutions` and nothing else is changed. In a program, a block marked `js`, nothing is.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'oxc-parser'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { type Block, filesIn, root } from './doc-blocks.ts'

const preludes = ['lib/leasehold/test/documentation/doc-prelude.ts', 'lib/console/test/test-doc-prelude.ts']

interface Place {
  contactPoint: string
  /** Empty where Cassandra needs no password. */
  credentials: { username?: string; password?: string }
  keyspace: string
  serverUrl: string
}

/** The addresses that examples name, and the tests' own instead; and who the tests are. */
const substitutions = (
  { contactPoint, credentials, keyspace, serverUrl }: Place,
  connectionFile: string,
): [RegExp, string][] => [
  [
    /(?<=localDataCenter: 'datacenter1')/g,
    Object.entries(credentials)
      .map(([key, text]) => `, ${key}: '${text}'`)
      .join(''),
  ],
  [/'\.leasehold\/cassandra\.json'/g, `'${connectionFile}'`],
  [/(?<=contactPoints: \[)'127\.0\.0\.1(:9042)?'(?=\])/g, `'${contactPoint}'`],
  [/(?<=keyspace: )'leasehold'/g, `'${keyspace}'`],
  [/(?<=url: )'https?:\/\/(localhost:3000|leasehold\.example)'/g, `'${serverUrl}'`],
  // A host and a port, as `FaultProxy.listen` takes them.
  [/'127\.0\.0\.1', 9042\b/g, contactPoint.replace(/^(.*):(\d+)$/, "'$1', $2")],
]

export interface Program {
  readonly directory: string
  readonly modules: ReadonlyMap<Block, string>
}

/** `page`: where programs find the node of `npm start`, as its role for programs. `example`: as the prelude. */
type Places = Readonly<Record<Block['kind'], Place>>

export function writeProgram(blocks: readonly Block[], places: Places): Program {
  const parent = process.env.LEASEHOLD_TEST_DIR ?? join(root, '.leasehold-test')
  mkdirSync(parent, { recursive: true })
  const directory = temporaryFolder('documentation', parent)
  const modules = new Map(
    blocks.map((block, index) => {
      if (block.language === 'js') return [block, join(directory, 'programs', programName(block))]
      const slug = `${block.file}-${block.line}`.replace(/\W+/g, '-')
      return [block, join(directory, `${String(index).padStart(3, '0')}-${slug}.ts`)]
    }),
  )
  const { contactPoint, credentials, keyspace } = places.page
  const connection = {
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    ...credentials,
  }
  mkdirSync(join(directory, 'programs/.leasehold'), { recursive: true })
  writeFileSync(connectionFileOf(directory), JSON.stringify(connection), { mode: 0o600 })
  for (const [block, file] of modules)
    writeFileSync(
      file,
      block.language === 'js'
        ? block.code
        : moduleOf(block, substitutions(places[block.kind], connectionFileOf(directory))),
    )
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      types: ['node'],
      plugins: [],
      allowJs: true,
      checkJs: true,
      paths: {
        leasehold: [join(root, 'lib/leasehold/index.ts')],
        'leasehold/*': [join(root, 'lib/leasehold/*/index.ts')],
      },
    },
    files: [...modules.values()],
    include: [],
  }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config))
  return { directory, modules }
}

/** @returns what the compiler says, by block; `null`: what it says of anything else */
export async function typeErrors({ directory, modules }: Program): Promise<Map<Block | null, string[]>> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const said = await new Promise<string>((done) => {
    execFile(
      process.execPath,
      [tsc, '-p', directory, '--pretty', 'false'],
      { cwd: root },
      (failed, stdout, stderr) => done(stdout + stderr || (failed ? failed.message : '')),
    )
  })
  const blocks = new Map([...modules].map(([block, file]) => [relative(root, file), block]))
  const errors = new Map<Block | null, string[]>()
  let current: Block | null = null
  for (const line of said.split('\n').filter((it) => it !== '')) {
    const at = /^(\S.*?)\((\d+),(\d+)\): (.*)$/.exec(line)
    if (at) current = blocks.get(at[1]!) ?? null
    const text = at && current ? `${current.file}:${lineIn(current, Number(at[2]))}: ${at[4]}` : line
    errors.set(current, [...(errors.get(current) ?? []), text])
  }
  return errors
}

/** A line of the module, as a line of the documentation. */
const lineIn = (block: Block, line: number): number => block.line + line - (block.kind === 'example' ? 2 : 1)

/** What `npm start` leaves for programs. */
const connectionFileOf = (directory: string) => join(directory, 'programs/.leasehold/cassandra.json')

/** A program says its name in its first line. */
function programName({ file, line, code }: Block): string {
  const name = /^\/\/ ([\w-]+\.mjs)\b/.exec(code)?.[1]
  if (name === undefined) throw new Error(`${file}:${line}: a program begins with its name: // name.mjs`)
  return name
}

function moduleOf(block: Block, replacements: readonly [RegExp, string][]): string {
  let code = block.code
  for (const [pattern, replacement] of replacements) code = code.replace(pattern, replacement)
  return `${block.kind === 'example' ? `${takenForGranted(block)}\n` : ''}${code}\nexport {}\n`
}

/** The imports of what an `@example` uses and does not declare, on one line. */
function takenForGranted({ file, code }: Block): string {
  const declared = new Set(
    [
      ...code.matchAll(
        /\b(?:const|let|using|function|class)\s+(\w+|[{[][^=]*[}\]])|\bimport\s+(.*?)\s+from/g,
      ),
    ].flatMap(([, declaration, imported]) => (declaration ?? imported ?? '').match(/\w+/g) ?? []),
  )
  const used = new Set(code.match(/\b\w+\b/g))
  const rooms = filesIn('lib/leasehold', /^index\.ts$/).filter((index) => index !== 'lib/leasehold/index.ts')
  const sources = [file, ...rooms, ...preludes]
  const seen = new Set<string>()
  return sources
    .flatMap((source) =>
      exportsOf(source).flatMap(({ name, isType }) => {
        if (seen.has(name) || declared.has(name) || !used.has(name)) return []
        seen.add(name)
        return [`import { ${isType ? 'type ' : ''}${name} } from ${JSON.stringify(join(root, source))}`]
      }),
    )
    .join('; ')
}

function exportsOf(source: string): { name: string; isType: boolean }[] {
  const { module } = parseSync(source, readFileSync(join(root, source), 'utf8'))
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ exportName, isType }) =>
      exportName.name === null ? [] : [{ name: exportName.name, isType }],
    )
}
