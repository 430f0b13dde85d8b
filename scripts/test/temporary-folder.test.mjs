import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { removeTemporaryFolders, temporaryFolder } from './temporary-folder.mjs'

it('the folders of a process, and all that is in them, go when it ends', async () => {
  const script = `
    import { writeFileSync } from 'node:fs'
    import { temporaryFolder } from '${new URL('temporary-folder.mjs', import.meta.url)}'
    const folder = temporaryFolder('leasehold-ended')
    writeFileSync(folder + '/file', 'x')
    console.log(folder)
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toContain('leasehold-ended-')
  expect(existsSync(stdout.trim())).toBe(false)
})

it('a folder may stand in another one, and is removed with what is in it', () => {
  const parent = temporaryFolder('leasehold-parent')
  const folder = temporaryFolder('inner', parent)
  mkdirSync(join(folder, 'a'))
  writeFileSync(join(folder, 'a', 'file'), '')
  removeTemporaryFolders()
  expect(existsSync(parent)).toBe(false)
})

it('a folder goes although a process that is ending still writes into it', async () => {
  const folder = temporaryFolder('leasehold-written')
  const writer = spawn(process.execPath, ['-e', WRITES_FOR_A_SECOND, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(writer.stdout, 'data')
  removeTemporaryFolders()
  expect(existsSync(folder)).toBe(false)
  if (writer.exitCode === null) await once(writer, 'exit')
})

const WRITES_FOR_A_SECOND = `
  const until = Date.now() + 1_000
  for (let file = 0; Date.now() < until; file++) {
    try { require('node:fs').writeFileSync(process.argv[1] + '/' + file, '') } catch {}
    if (file === 100) require('node:fs').writeSync(1, 'begun')
  }
`
