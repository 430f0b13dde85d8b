import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from './process/registry.mjs'
import { temporaryFolder } from './test/temporary-folder.mjs'

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

// `leasehold` is built first, and has its own test. The others without a script of ours are Biome's and tsc's.
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, script, more] = /^(?:exec )?node (\S+\.mjs)(.*)$/.exec(line) ?? []
  return script === undefined || name === 'leasehold'
    ? []
    : [{ name, args: [script, ...more.trim().split(' ')] }]
})
const called = (/** @type {string} */ name) =>
  /^(start|test)$/.test(name) ? `npm ${name}` : `npm run ${name}`

it('finds the commands of package.json', () => {
  expect(commands.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['start', 'build', 'bench', 'user']),
  )
})

it.each(commands)('$name -- --help says how it is used, and does nothing else', ({ name, args }) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args.filter(Boolean), '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  // `npm run test:long` is `npm test` with a stage.
  expect(stdout.startsWith(`${name === 'test:long' ? 'npm test' : called(name)}: `)).toBe(true)
  expect(stdout).toMatch(/\n\nUsage\n {2}npm /)
  expect(stdout).toContain(called(name))
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(110)
})

// `npm run test:nodes` passes its arguments on to `npm test`.
it.each(commands.filter(({ name }) => name !== 'test:nodes'))(
  '$name says of an argument that it does not know where help is, and ends with 2',
  ({ args }) => {
    const { status, stderr } = spawnSync(process.execPath, [...args.filter(Boolean), '--no-such-option'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/--no-such-option.*--help/)
    expect(status).toBe(2)
  },
)

describe('on a clone whose packages npm is installing', () => {
  const clone = temporaryFolder('leasehold-clone')
  beforeAll(() => {
    for (const part of ['scripts', 'bench', 'package.json', 'package-lock.json'])
      cpSync(join(ROOT, part), join(clone, part), { recursive: true })
    // npm's own list of them comes last.
    for (const file of [
      'typescript/bin/tsc',
      'cassandra-driver/package.json',
      '@playwright/test/package.json',
    ]) {
      mkdirSync(dirname(join(clone, 'node_modules', file)), { recursive: true })
      writeFileSync(join(clone, 'node_modules', file), '')
    }
  })
  const run = (/** @type {string[]} */ args) =>
    spawnSync(process.execPath, args.filter(Boolean), { cwd: clone, encoding: 'utf8' })
  const leasehold = { name: 'leasehold', args: ['scripts/leasehold.mjs'] }

  it.each([...commands, leasehold])('$name -- --help says how it is used', ({ args }) => {
    const { status, stdout, stderr } = run([...args, '--help'])
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^npm .*: [\s\S]*\n\nUsage\n {2}npm /)
  })
  it('leasehold ls -- --help says how leasehold is used', () => {
    expect(run([...leasehold.args, 'ls', '--help']).stdout).toMatch(/^npm run leasehold: /)
  })

  it.each([
    'scripts/leasehold.mjs ls',
    // It is the help of another command that is asked for.
    'scripts/leasehold.mjs run x other --help',
    'scripts/user.mjs list',
    'scripts/audit.mjs verify',
    'scripts/cql.mjs SELECT',
    'scripts/fuzz.mjs',
    'bench/run.mjs with-lock',
  ])('node %s says what to do', (line) => {
    const { status, stdout, stderr } = run(line.split(' '))
    expect(stdout).toBe('')
    expect(stderr.trim()).toBe(
      'The packages are not installed yet, or not all of them: `npm start` installs them. If it does so now, wait until it is done.',
    )
    expect(status).toBe(line.includes('audit') ? 2 : 1)
  })
})
