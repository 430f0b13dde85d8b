import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'oxc-parser'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../process/ending.mjs'
import { claim } from '../process/pid-file.mjs'
import { REGISTRY, ROOT } from '../process/registry.mjs'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { fingerprint, isBuiltAtTop, SOURCE_DIRECTORIES } from './build.mjs'
import { compileCommands } from './compile.mjs'

/** @type {string} */
let root
beforeEach(() => {
  root = temporaryFolder('leasehold-build')
  for (const name of ['app/page.tsx', 'lib/a.ts', 'package.json']) put(name)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** @param {string} path @param {string} [content] */
function put(path, content = 'before') {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

describe('the fingerprint', () => {
  it.each([
    'proxy.ts',
    'instrumentation-client.ts',
    'mdx-components.tsx',
    'package-lock.json',
    'tsconfig.json',
    'tailwind.config.js',
    '.env',
    '.browserslistrc',
    'app/new/page.tsx',
    'public/icon.svg',
  ])('is another one with %s, and with another content of it', (path) => {
    const without = fingerprint(root, {})
    put(path)
    const before = fingerprint(root, {})
    put(path, 'after')
    expect(new Set([without, before, fingerprint(root, {})]).size).toBe(3)
  })
  it.each([
    'README.md',
    'biome.json',
    'next-env.d.ts',
    'vitest.config.ts',
    // README invites to keep scripts here.
    'hello.mjs',
    'worker.ts',
    'store.py',
    'notes.txt',
    'orders.json',
    '.git/HEAD',
    '.leasehold/logs/console.log',
    'e2e/page.spec.ts',
    'node_modules/a/index.js',
    'scripts/start.mjs',
    'lib/a.test.ts',
    'lib/console/dist/a.js',
  ])('is the same with %s, which no build reads', (path) => {
    const without = fingerprint(root, {})
    put(path)
    expect(fingerprint(root, {})).toBe(without)
  })
  it("covers each file at the top of the repository that Next's documentation names", () => {
    const next = /^(proxy|middleware|instrumentation(-client)?|next\.config|postcss\.config)\.(ts|mjs)$/
    const named = readdirSync(ROOT).filter((name) => next.test(name))
    expect(named).toContain('proxy.ts')
    for (const name of named) {
      const before = fingerprint(root, {})
      put(name, readFileSync(join(ROOT, name), 'utf8'))
      expect(fingerprint(root, {}), name).not.toBe(before)
    }
  })
  it('changes with what Next copies from the environment, and with nothing else in it', () => {
    const bare = fingerprint(root, {})
    expect(fingerprint(root, { PORT: '1' })).toBe(bare)
    expect(fingerprint(root, { NEXT_PUBLIC_A: '1' })).not.toBe(bare)
  })
})

it('sources import nothing that the fingerprint leaves out', () => {
  const atTop = readdirSync(ROOT).filter((name) => /^[\w-]+(?<!\.config)\.tsx?$/.test(name))
  const below = SOURCE_DIRECTORIES.flatMap((name) =>
    readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
  )
  const sources = [...atTop, ...below].filter((path) => {
    const isCode = /\.(tsx?|mjs)$/.test(path) && !/(^|\/)(dist|node_modules)\//.test(path)
    // Tests may; a build reads none of them.
    return isCode && !/\.test\.tsx?$|(^|\/)test(-[^/]*\.tsx?$|\/)/.test(path)
  })
  expect(sources.length).toBeGreaterThan(300)
  const strays = sources.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith('.'))
      .map((target) => relative(ROOT, join(ROOT, dirname(path), target)))
      .filter((target) =>
        target.includes('/')
          ? !SOURCE_DIRECTORIES.includes(target.split('/')[0] ?? '')
          : !isBuiltAtTop(target),
      )
      .map((target) => `${path} imports ${target}`),
  )
  expect(strays).toEqual([])
})

/** @param {string} path @returns {string[]} */
function importsOf(path) {
  const { module } = parseSync(path, readFileSync(join(ROOT, path), 'utf8'))
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
  ]
}

it('npm run build leaves nothing to compile for npm run user and npm run audit, whose user may not write the program', async () => {
  const build = readFileSync(join(ROOT, 'scripts', 'build.mjs'), 'utf8')
  expect(build).toContain('await compileCommands(')
  const report = () => {}
  await compileCommands({ report })
  for (const module of [
    'start/terminal/user-terminal',
    'start/terminal/audit-terminal',
    'audit/verify/verify',
  ]) {
    expect(existsSync(join(ROOT, 'lib', 'console', 'dist', 'console', `${module}.js`))).toBe(true)
    expect(await compileCommands({ report, module })).toBe('as compiled before')
  }
})

it('a command with nothing to compile does not wait for one that compiles', async () => {
  await compileCommands({ report: () => {} })
  mkdirSync(REGISTRY, { recursive: true })
  // Other tests may compile now.
  const lock = /** @type {{ release?: () => void }} */ ({})
  await until(
    () => Object.assign(lock, claim(join(REGISTRY, 'lock.compile.json'))).release !== undefined,
    60_000,
  )
  expect(lock).toHaveProperty('release')
  try {
    const said = /** @type {string[]} */ ([])
    const report = (/** @type {string} */ text) => said.push(text)
    const compiled = compileCommands({ report, signal: AbortSignal.timeout(3_000) })
    await expect(compiled).resolves.toBe('as compiled before')
    expect(said).toEqual([])
  } finally {
    lock.release?.()
  }
})
