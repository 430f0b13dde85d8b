import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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

it('leasehold -- --help says how it is used on a clone without packages, and any other command says what to do', () => {
  const clone = temporaryFolder('leasehold-clone')
  cpSync(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true })
  const run = (/** @type {string} */ argument) =>
    spawnSync(process.execPath, [join(clone, 'scripts', 'leasehold.mjs'), argument], { encoding: 'utf8' })
  expect(run('--help')).toMatchObject({ status: 0, stderr: '' })
  expect(run('--help').stdout).toMatch(/^npm run leasehold: .*\n\nUsage\n {2}npm run leasehold -- /)
  expect(run('ls')).toMatchObject({ status: 1, stderr: expect.stringContaining('`npm start` installs them') })
  rmSync(clone, { recursive: true })
})
