/** Every line with `leasehold` that the documentation and `--help` show, run by a shell on a real Cassandra. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../scripts/test/temporary-folder.mjs'
import { CassandraLeaseStore, type CassandraSession, tables } from '../cassandra/index.ts'
import { LeaseProtocol } from '../lease/index.ts'
import { pageBlocks, placeOf } from '../test/documentation/doc-blocks.ts'
import { testContactPoint, testCredentialsEnvironment, testSession } from '../test/node-session.ts'
import { exitCode } from './process/exit-codes.ts'
import type { Output } from './process/io.ts'
import { program } from './program.ts'
import { BuiltCommand } from './test-command.ts'

interface Example {
  place: string
  line: string
}

/** An example as a reader types it: without its comment, and the same from a clone and from the package. */
const asTyped = (line: string) => line.replace(/\s+#.*$/, '').replace(/^npm run leasehold -- /, 'leasehold ')

const ofPages = (): Example[] =>
  pageBlocks()
    .filter(({ language }) => language === 'sh')
    .flatMap((block) =>
      block.code.split('\n').map((line) => ({ place: placeOf(block), line: asTyped(line) })),
    )
    .filter(({ line }) => line.startsWith('leasehold '))

function ofHelp(): Example[] {
  let text = ''
  const output: Output = {
    isTTY: false,
    columns: 120,
    rows: 24,
    write: (more) => {
      text += more
    },
  }
  const root = program({ stdout: output, stderr: output, env: {}, onSignal: () => () => {} }, () => {})
  for (const command of root.commands) command.outputHelp()
  return text
    .split('\n')
    .filter((line) => /^ {2}leasehold /.test(line))
    .map((line) => ({ place: '--help', line: line.trim() }))
}

const examples = [...ofPages(), ...ofHelp()]
/** Examples that never end by themselves: the test interrupts them. */
const isEndless = ({ line }: Pick<Example, 'line'>) => /--observe|--watch/.test(line)
const keyspace = 'cli_examples_test'

let session: CassandraSession
let leasehold: BuiltCommand
let folder: string

beforeAll(async () => {
  session = await testSession(keyspace)
  for (const table of Object.values(tables)) await session.client.execute(table.replaceAll('$k', keyspace))
  // The mapped table of the doctor's example.
  await session.client.execute(
    `CREATE TABLE ${keyspace}.jobs (job text PRIMARY KEY, holder text, value text) WITH default_time_to_live = 180`,
  )
  // What watches prints it.
  const leases = new LeaseProtocol({ store: new CassandraLeaseStore(session) })
  await leases.tryAcquire('billing/there', { owner: 'someone', ttlSeconds: 3_600 })
  leasehold = new BuiltCommand({})
  folder = temporaryFolder('leasehold-examples')
  mkdirSync(join(folder, 'bin'))
  const script = (name: string, text: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  script('bin/leasehold', `exec "${process.execPath}" "${leasehold.script}" "$@"`)
  // The files that the examples use.
  for (const name of ['invoices.sh', 'backup.sh', 'report.sh', 'serve.sh', 'bin/pg_dump'])
    script(name, 'echo "$0 has run"')
  script('bin/jq', 'cat')
  writeFileSync(join(folder, 'reindex.js'), '')
})
afterAll(async () => {
  leasehold?.remove()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  await session?.close()
})

function shell({ line }: Pick<Example, 'line'>): {
  child: ChildProcess
  finished: Promise<number | null>
  said: () => string
} {
  // Without `exec`, an interrupted shell would die of the signal, and its exit code would be lost.
  const typed = `${isEndless({ line }) ? 'exec ' : ''}${line.replace('/backup/', `${folder}/`)}`
  const child = spawn('sh', ['-c', typed], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      CASSANDRA_CONTACT_POINTS: testContactPoint(),
      ...testCredentialsEnvironment(),
      CASSANDRA_KEYSPACE: keyspace,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text
    })
  return { child, finished: new Promise((done) => child.on('close', done)), said: () => said }
}

it('finds them', () => {
  expect(examples.filter(({ place }) => place === '--help').length).toBeGreaterThan(8)
  expect(examples.filter(({ place }) => place.includes('README.md')).length).toBeGreaterThan(8)
})

it.each(examples.map((example) => ({ ...example, example })))('$place: $line', async ({ example }) => {
  const { child, finished, said } = shell(example)
  if (isEndless(example)) {
    // Waits for the first output, and interrupts.
    await expect.poll(() => said() !== '', { timeout: 150_000 }).toBe(true)
    await new Promise((done) => setTimeout(done, 300))
    process.kill(-(child.pid as number), 'SIGINT')
  }
  const code = await finished
  // They exit with 1 when the lease has no holder or no history, as all leases of an empty table.
  const fine: (number | null)[] = /^leasehold (get|release|history) /.test(example.line)
    ? [exitCode.done, 1]
    : [exitCode.done]
  expect(fine, said()).toContain(code)
  // The example of `get` ends well in each case, and prints this one after an error.
  expect(said()).not.toMatch(/^unknown$/m)
})
