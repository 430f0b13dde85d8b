/** The package as it would be published, in a project that has nothing else: it needs npm and time, no Cassandra. */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { compile, install, manifest, type Packed, pack, run, succeed, tool } from './package.ts'

const place = temporaryFolder('leasehold-package')
const project = join(place, 'consumer')
let packed: Packed

beforeAll(async () => {
  packed = await pack(join(place, 'package'))
  await install(packed.tarball, project)
}, 300_000)

afterAll(() => rmSync(place, { recursive: true, force: true }))

/** A program of the consumer's. */
async function node(code: string): Promise<string> {
  writeFileSync(join(project, 'program.mjs'), code)
  return (await succeed(process.execPath, ['program.mjs'], project)).trim()
}

describe('what is published', () => {
  it('is what was compiled, the manifest, the pages, and a licence if there is one', () => {
    const others = packed.files.filter((file) => !/^dist\/.+\.(js|d\.ts)$/.test(file))
    expect(others.filter((file) => !/^LICENSE$|^docs\/decisions\/[\w-]+\.md$/.test(file)).sort()).toEqual([
      'CHANGELOG.md',
      'README.md',
      'docs/guarantees.md',
      'package.json',
    ])
    expect(packed.files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/lease/index.js']))
  })

  it('has every page that its pages and its comments name', () => {
    const has = (file: string) => existsSync(join(place, 'package', file))
    const pages = packed.files.filter((file) => file.endsWith('.md'))
    const links = pages.flatMap((page) =>
      [...readFileSync(join(place, 'package', page), 'utf8').matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^\w+:/.test(link))
        .map((link) => join(dirname(page), link)),
    )
    const texts = packed.files.filter((file) => /\.(js|d\.ts|md)$/.test(file))
    const named = texts.flatMap((file) => [
      ...readFileSync(join(place, 'package', file), 'utf8').matchAll(
        /\bdocs\/(decisions|guarantees)[\w/-]*\.md/g,
      ),
    ])
    expect(links.length).toBeGreaterThan(5)
    expect(named.length).toBeGreaterThan(1)
    expect([...links, ...named.map(([page]) => page)].filter((file) => !has(file))).toEqual([])
  })

  it('has no tests and nothing that only they use', () => {
    const rooms = Object.keys(manifest.exports).flatMap((subpath) =>
      subpath === '.' ? [] : [`dist/${subpath.slice(2)}/`],
    )
    const belongs = (file: string) =>
      [...rooms, 'dist/cli/', 'dist/index.'].some((room) => file.startsWith(room))
    const compiled = packed.files.filter((file) => file.startsWith('dist/'))
    expect(compiled.filter((file) => !belongs(file))).toEqual([])
    expect(compiled.filter((file) => /\.test\.|\/test-|example/.test(file))).toEqual([])
  })

  it('resolves with its types, for every program that can use ES modules', async () => {
    // esm-only: there is no second build for `require`; Node has require(esm) in every version that we support.
    const attw = tool('@arethetypeswrong/cli/dist/index.js')
    const args = [attw, packed.tarball, '--profile', 'esm-only', '--no-definitely-typed', '--format', 'ascii']
    await succeed(process.execPath, args, place)
  })

  it('has a manifest that publint has no word against', async () => {
    const said = await succeed(
      process.execPath,
      [tool('publint/src/cli.js'), 'run', packed.tarball, '--strict'],
      place,
    )
    expect(said).toContain('All good!')
  })
})

describe('in a project that installed it', () => {
  it('every public subpath can be imported', async () => {
    const subpaths = Object.keys(manifest.exports).map((subpath) => join('leasehold', subpath))
    const said = await node(
      `for (const name of ${JSON.stringify(subpaths)})
        if (Object.keys(await import(name)).length === 0) throw new Error(name + ' exports nothing')
      console.log('imported')`,
    )
    expect(said).toBe('imported')
  })

  it.each(['http', 'lease', 'lock', 'election', 'sequence', 'operator', 'bakery', 'testing', 'time'])(
    'leasehold/%s loads no driver',
    async (room) => {
      const driverless = join(place, 'driverless')
      cpSync(join(project, 'node_modules/leasehold'), join(driverless, 'node_modules/leasehold'), {
        recursive: true,
      })
      writeFileSync(
        join(driverless, 'program.mjs'),
        `await import('leasehold/${room}')
        await import('leasehold').catch(({ message }) => console.log(message))`,
      )
      const said = await succeed(process.execPath, ['program.mjs'], driverless)
      expect(said).toContain("Cannot find package 'cassandra-driver'")
    },
  )

  it('a CommonJS program can require it', async () => {
    const said = await node(
      `import { createRequire } from 'node:module'
      console.log(typeof createRequire(import.meta.url)('leasehold').Leases)`,
    )
    expect(said).toContain('function')
  })

  it.each([
    'leasehold/index.js',
    'leasehold/lease/acquire.js',
    'leasehold/dist/lease/index.js',
    'leasehold/cassandra/session',
  ])('%s cannot be imported', async (specifier) => {
    const said = await node(
      `await import(${JSON.stringify(specifier)}).catch(({ code }) => console.log(code))`,
    )
    expect(said).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })

  it.each(['nodenext', 'bundler'] as const)(
    'a program compiles with moduleResolution %s, and runs',
    async (module) => {
      const program = await compile(project, module)
      expect((await succeed(process.execPath, [program], project)).trim()).toBe('consumed')
    },
  )

  it('the command starts, and says that there is no Cassandra', async () => {
    const { leasehold } = manifest.bin
    expect(packed.files).toContain(leasehold.replace('./', ''))
    const command = join(project, 'node_modules/.bin/leasehold')
    expect(await succeed(command, ['--help'], project)).toContain('Usage: leasehold')
    const away = await run(command, ['run', '--contact-points', '127.0.0.1:1', 'a', '--', 'true'], project)
    expect(away).toMatchObject({ code: 123, output: expect.stringContaining('ECONNREFUSED 127.0.0.1:1') })
  })
})
