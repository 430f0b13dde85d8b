/**
 * Every code block that the documentation shows is type-checked against the sources, and run against a real Cassandra.
 * ```js in the READMEs and docs/ are whole programs, run by node as they stand, with the package installed and
 * `.leasehold/cassandra.json` as `npm start` leaves it. ```ts there are modules, as the same role. An `@example` finds the names
 * of the two preludes. What cannot run is marked neither js nor ts.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import cassandra from 'cassandra-driver'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Operator } from '../../operator/index.ts'
import { testContactPoint, testCredentials, testProgramCredentials } from '../node-session.ts'
import {
  type Block,
  blocksOfPage,
  exampleBlocks,
  examplesOfSource,
  pageBlocks,
  pageFiles,
  placeOf,
  root,
} from './doc-blocks.ts'
import { type Program, typeErrors, writeProgram } from './doc-program.ts'
import { installLibrary, RunningProgram } from './running-program.ts'

const pages = pageBlocks()
const blocks = [...pages.filter(({ language }) => ['ts', 'js'].includes(language)), ...exampleBlocks()]
const programs = blocks.filter(({ language }) => language === 'js')
const modules = blocks.filter(({ language }) => language === 'ts')
const started: RunningProgram[] = []

let program: Program
let errors: Map<Block | null, string[]>
let prelude: typeof import('./doc-prelude.ts')
let server: typeof import('../../../console/test/test-doc-prelude.ts')
/** Examples need not close what they connect. */
const clients = new Set<cassandra.Client>()

beforeAll(async () => {
  const { connect } = cassandra.Client.prototype
  vi.spyOn(cassandra.Client.prototype, 'connect').mockImplementation(function (this: cassandra.Client) {
    clients.add(this)
    return (connect as () => Promise<void>).call(this)
  } as typeof connect)
  vi.spyOn(console, 'log').mockImplementation(() => {})
  prelude = await import('./doc-prelude.ts')
  server = await import('../../../console/test/test-doc-prelude.ts')
  vi.stubEnv('LEASEHOLD_API_TOKEN', server.token)
  const node = { contactPoint: testContactPoint(), serverUrl: server.serverUrl }
  program = writeProgram(blocks, {
    page: { ...node, credentials: testProgramCredentials(), keyspace: server.consoleKeyspace },
    example: { ...node, credentials: testCredentials(), keyspace: prelude.keyspace },
  })
  await installLibrary(program.directory)
  errors = await typeErrors(program)
})

afterAll(async () => {
  for (const running of started) running.kill()
  await prelude?.leases.close()
  server?.closeConsole()
  await Promise.all([...clients].map((client) => client.shutdown()))
  if (program) rmSync(program.directory, { recursive: true, force: true })
})

/** What a failed example still holds, and would go on renewing: the next one may want it. */
async function releaseAll(): Promise<void> {
  const { protocol } = prelude.leases
  for (const { name, owner } of (await protocol.page({ limit: 100 })).leases)
    if (owner !== null && name !== prelude.lease.name) await new Operator(protocol).kill({ name, owner })
}

describe('the documentation', () => {
  it('is found', () => {
    expect(blocks.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['README.md', 'lib/leasehold/README.md', 'lib/leasehold/lock/locks.ts']),
    )
  })

  it('marks TypeScript as ts, so that none of it escapes', () => {
    const languages = [
      'ts',
      'js',
      'sh',
      'sql',
      'json',
      'yaml',
      'http',
      'dockerfile',
      'nginx',
      'text',
      'python',
      'java',
      'go',
    ]
    const others = pages.filter(({ language }) => !languages.includes(language))
    expect(others.map((block) => `${placeOf(block)} is marked "${block.language}"`)).toEqual([])
    const hidden = pages.filter(
      ({ language, code }) => language === 'text' && /^\s*(import|await|const) /m.test(code),
    )
    expect(hidden.map(placeOf), 'text that looks like TypeScript').toEqual([])
  })

  it.each(pageFiles())('%s links to files that are there', (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link]) => link!)
    const broken = links.filter((link) => !/^\w+:/.test(link) && !existsSync(join(root, dirname(file), link)))
    expect(broken).toEqual([])
  })

  it('takes for granted what compiles', () => {
    expect(errors.get(null) ?? []).toEqual([])
  })

  it.each(blocks.map((block) => [placeOf(block), block] as const))('%s compiles', (_, block) => {
    expect(errors.get(block) ?? []).toEqual([])
  })

  describe.each(modules.map((block) => [placeOf(block), block] as const))('%s', (place, block) => {
    it('runs', async () => {
      prelude.renewSignal()
      try {
        await import(/* @vite-ignore */ program.modules.get(block)!)
      } catch (thrown) {
        await releaseAll()
        throw new Error(`${place} does not run: ${thrown}`, { cause: thrown })
      }
    })
  })
})

/** Starts a program of the documentation by its name, in the folder where it finds `.leasehold/cassandra.json`. */
function start(name: string, ...args: string[]): RunningProgram {
  const block = programs.find((each) => basename(program.modules.get(each) ?? '') === name)
  if (block === undefined) throw new Error(`No page shows a program ${name}.`)
  const file = program.modules.get(block) as string
  const running = new RunningProgram([process.execPath, basename(file), ...args], { cwd: dirname(file) })
  started.push(running)
  return running
}

const wellEnded = { code: 0, signal: null, stderr: '' }

describe('the programs', () => {
  it('are those that are tested here', () => {
    const names = programs.map((block) => basename(program.modules.get(block) ?? ''))
    expect(names.sort()).toEqual([
      'import-orders.mjs',
      'invoice-run.mjs',
      'rate.mjs',
      'tick.mjs',
      'worker.mjs',
    ])
  })

  it('tick.mjs, started three times at once, does the work of a tick once', async () => {
    const ended = await Promise.all([1, 2, 3].map(() => start('tick.mjs').ended()))
    for (const each of ended) expect(each).toMatchObject(wellEnded)
    const lines = ended.map(({ stdout }) => stdout.trim())
    const ticks = new Set(lines.map((line) => /the report of (\S+)/.exec(line)?.[1]))
    expect(lines.filter((line) => line.startsWith('making'))).toHaveLength(ticks.size)
  })

  it('worker.mjs leads, ends in order on SIGTERM, and another one follows at once', async () => {
    const first = start('worker.mjs')
    await first.printed('leading in term 1')
    const second = start('worker.mjs')
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(second.stdout).toBe('')
    first.stop()
    expect(await first.ended()).toMatchObject(wellEnded)
    await second.printed('leading in term 2')
    second.stop()
    expect(await second.ended()).toMatchObject(wellEnded)
  })

  it('invoice-run.mjs runs its work under the lock', async () => {
    expect(await start('invoice-run.mjs').ended()).toMatchObject({
      ...wellEnded,
      stdout: expect.stringMatching(/^fence writes with \d+;/),
    })
  })

  it('import-orders.mjs, started twice at once, does one import after the other', async () => {
    const ended = await Promise.all([1, 2].map(() => start('import-orders.mjs').ended()))
    for (const each of ended) {
      expect(each).toMatchObject(wellEnded)
      const tokens = [...each.stdout.matchAll(/part \d imported, under token (\d+)/g)].map(
        ([, token]) => token,
      )
      expect(tokens).toHaveLength(3)
      expect(new Set(tokens).size).toBe(1)
    }
    expect(ended[0]?.stdout).not.toBe(ended[1]?.stdout)
  })

  it('rate.mjs follows what rate.mjs publishes', async () => {
    const follower = start('rate.mjs')
    await follower.printed('nothing is published')
    const publisher = start('rate.mjs', '25')
    await follower.printed('the rate is 25')
    const second = start('rate.mjs', '26')
    expect(await second.ended()).toMatchObject({
      ...wellEnded,
      stdout: expect.stringContaining('already published'),
    })
    publisher.stop()
    expect(await publisher.ended()).toMatchObject(wellEnded)
    follower.stop()
    expect(await follower.ended()).toMatchObject(wellEnded)
  })
})

describe('finding blocks', () => {
  it('says where a block of a page begins, nested fences included', () => {
    const page = ['# Title', '```ts', 'a()', '```', '', '````text', '```ts', '```', '````'].join('\n')
    expect(blocksOfPage('page.md', page)).toMatchObject([
      { line: 3, language: 'ts', code: 'a()' },
      { line: 7, language: 'text', code: '```ts\n```' },
    ])
    expect(() => blocksOfPage('page.md', '```ts\na()')).toThrow('page.md:1')
  })

  it('ends an @example at the next tag, and sees none in strings', () => {
    const source = [
      '/**',
      ' * @example',
      ' * a()',
      ' *   b()',
      ' * @throws never',
      ' */',
      "const x = '/** @example'",
    ]
    expect(examplesOfSource('x.ts', source.join('\n'))).toMatchObject([{ line: 3, code: 'a()\n  b()' }])
    expect(examplesOfSource('x.ts', '\n/** @example a() */')).toMatchObject([{ line: 2, code: 'a()' }])
    expect(() => examplesOfSource('x.ts', '/**\n * @example\n * ```ts\n * a()\n */')).toThrow('x.ts:2')
    expect(() => examplesOfSource('x.ts', '/**\n * @example\n * @internal\n */')).toThrow('x.ts:2')
  })
})
