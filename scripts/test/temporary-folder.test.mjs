import { execFile } from 'node:child_process'
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
