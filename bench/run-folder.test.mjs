import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writePidFile } from '../scripts/process/pid-file.mjs'
import { temporaryFolder } from '../scripts/test/temporary-folder.mjs'
import { makeRunFolder } from './run-folder.mjs'

const other = () => spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })

it('a run removes the folders of runs that were killed, and keeps that of a run beside it', async () => {
  const dataDir = temporaryFolder('leasehold-bench')
  const [killed, beside] = [other(), other()]
  for (const [name, { pid }] of /** @type {const} */ ([
    ['bench_killed', killed],
    ['bench_beside', beside],
  ])) {
    mkdirSync(join(dataDir, name))
    writePidFile(join(dataDir, `${name}.json`), Number(pid))
  }
  // Runs of earlier versions named no owner.
  mkdirSync(join(dataDir, 'bench_without_owner', 'cassandra'), { recursive: true })
  writeFileSync(join(dataDir, 'bench_without_owner', 'cassandra', 'roles.json'), '{}')
  mkdirSync(join(dataDir, 'jars'))
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  /** @type {string[]} */
  const said = []
  try {
    const run = await makeRunFolder(dataDir, { log: (line) => said.push(line) })
    const kept = ['bench_beside', 'bench_beside.json', 'jars']
    expect(readdirSync(dataDir).sort()).toEqual([...kept, run.name, `${run.name}.json`].sort())
    expect(said).toHaveLength(2)
    // A third run beside it finds it in use.
    await makeRunFolder(dataDir, { log: (line) => said.push(line) })
    expect([existsSync(run.path), said.length]).toEqual([true, 2])
    run.remove()
    expect(readdirSync(dataDir)).not.toContain(run.name)
  } finally {
    beside.kill('SIGKILL')
  }
})
