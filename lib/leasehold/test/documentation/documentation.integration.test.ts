/**
 * Every code block that the documentation shows is type-checked against the sources, and run against a real Cassandra:
 * ```ts in the READMEs and docs/ as it stands, `@example` with the names of the two `test-doc-prelude.ts`. What cannot run is
 * not shown as ```ts. Shell blocks are collected by the same `pageBlocks()`, with `language` `sh`.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import cassandra from 'cassandra-driver'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Operator } from '../../operator/index.ts'
import { testContactPoint, testCredentials } from '../node-session.ts'
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

const pages = pageBlocks()
const blocks = [...pages.filter(({ language }) => language === 'ts'), ...exampleBlocks()]

let program: Program
let errors: Map<Block | null, string[]>
let prelude: typeof import('./doc-prelude.ts')
let server: typeof import('../../../console/test-doc-prelude.ts')
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
  server = await import('../../../console/test-doc-prelude.ts')
  vi.stubEnv('LEASEHOLD_API_TOKEN', server.token)
  program = writeProgram(blocks, {
    contactPoint: testContactPoint(),
    credentials: testCredentials(),
    keyspace: prelude.keyspace,
    serverUrl: server.serverUrl,
  })
  errors = await typeErrors(program)
})

afterAll(async () => {
  await prelude?.leases.close()
  server?.closeConsole()
  for (const keyspace of [prelude?.keyspace, server?.consoleKeyspace])
    if (keyspace) await prelude.session.client.execute(`DROP KEYSPACE IF EXISTS "${keyspace}"`)
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
    const languages = ['ts', 'sh', 'sql', 'json', 'yaml', 'http', 'text']
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

  describe.each(blocks.map((block) => [placeOf(block), block] as const))('%s', (place, block) => {
    it('compiles', () => {
      expect(errors.get(block) ?? []).toEqual([])
    })

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
