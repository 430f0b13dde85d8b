import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { replaceUnless } from './replace-file.ts'

const place = () => {
  const folder = temporaryFolder('leasehold-replace')
  return { folder, path: join(folder, 'file') }
}

it('begins again when another process, which was ready too, removed its draft, and then looks at what that one wrote', async () => {
  const { folder, path } = place()
  let looked = 0
  await replaceUnless(path, '10', () => {
    looked += 1
    if (looked !== 2) return looked > 2
    // Between the look and the replacement, the other process goes through all of its steps.
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    writeFileSync(path, '20')
    return false
  })
  expect([looked, readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual([3, '20', ['file']])
})

it('removes the draft of another process that is ready and stands still, before it looks; of this file alone', async () => {
  const { folder, path } = place()
  for (const name of ['file.a.ready', 'file.b', 'other.c.ready']) writeFileSync(join(folder, name), '10')
  const seen: string[][] = []
  await replaceUnless(path, '20', () => {
    seen.push(readdirSync(folder).filter((name) => name === 'file.a.ready'))
    return false
  })
  expect(seen).toEqual([['file.a.ready'], []])
  expect(readdirSync(folder)).toEqual(['file', 'file.b', 'other.c.ready'])
})

it('leaves nothing behind where the file is to stay, or the look fails', async () => {
  const { folder, path } = place()
  writeFileSync(path, '20')
  for (const end of [() => true, () => raise()]) {
    let looked = 0
    await replaceUnless(path, '10', () => ++looked === 2 && end()).catch(() => {})
    expect([looked, readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual([2, '20', ['file']])
  }
})

const raise = (): never => {
  throw new Error('cannot be read')
}
