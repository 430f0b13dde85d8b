/** The example as its reader runs it: checked by the compiler, then a process of Node's own, on the package as built. */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { testContactPoint, testCredentialsEnvironment } from '../node-session.ts'

const root = resolve(import.meta.dirname, '../../../..')
const example = 'lib/leasehold/test/examples/fencing.mjs'
const run = promisify(execFile)
let directory: string

beforeAll(async () => {
  const parent = process.env.LEASEHOLD_TEST_DIR ?? join(root, '.leasehold-test')
  mkdirSync(parent, { recursive: true })
  directory = temporaryFolder('example', parent)
  const config = {
    extends: join(root, 'lib/leasehold/tsconfig.json'),
    compilerOptions: {
      allowJs: true,
      checkJs: true,
      declaration: false,
      rootDir: root,
      outDir: directory,
      typeRoots: [join(root, 'node_modules/@types')],
      paths: { 'leasehold/*': [join(root, 'lib/leasehold/*/index.ts')] },
    },
    files: [join(root, example)],
    include: [],
  }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '-p', directory, '--pretty', 'false'], { cwd: root }).catch((failed) => {
    throw new Error(`${example} does not compile:\n${failed.stdout}`)
  })
  // The package as a reader has it: its manifest, and what was built of it; beside it, what this repository installed.
  const installed = join(directory, 'node_modules/leasehold')
  mkdirSync(installed, { recursive: true })
  symlinkSync(join(root, 'lib/leasehold/package.json'), join(installed, 'package.json'))
  symlinkSync(join(directory, 'lib/leasehold'), join(installed, 'dist'))
  symlinkSync(
    join(root, 'node_modules/cassandra-driver'),
    join(directory, 'node_modules/cassandra-driver'),
    'dir',
  )
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
})
afterAll(() => {
  if (directory) rmSync(directory, { recursive: true, force: true })
})

it('shows the old holder being refused', async () => {
  const env = {
    ...process.env,
    CASSANDRA_CONTACT_POINTS: testContactPoint(),
    ...testCredentialsEnvironment(),
    NODE_OPTIONS: '',
  }
  const play = () => run(process.execPath, [join(directory, example)], { env, timeout: 150_000 })
  // Of a busy machine a conditional write may leave too late, and then it never does: the example ends, and is run again.
  const { stdout } = await play().catch((failed) => {
    if (!String(failed.stderr).includes('The write was not sent')) throw failed
    return play()
  })
  const [old, next] = [...stdout.matchAll(/ holder has token (\d+)$/gm)].map(([, token]) =>
    BigInt(token ?? 0),
  )
  expect(next).toBeGreaterThan(old ?? 0n)
  expect(stdout.trim().split('\n')).toEqual([
    `the old holder has token ${old}`,
    'the old holder sets the balance to 1: written',
    'the old holder stops, in the middle of its work; its lease expires',
    `the next holder has token ${next}`,
    'the next holder sets the balance to 2: written',
    'the old holder goes on, and does not know what it missed',
    `the old holder sets the balance to 3: refused, because token ${next} has written`,
    `the row: balance 2, fence ${next}`,
  ])
})
