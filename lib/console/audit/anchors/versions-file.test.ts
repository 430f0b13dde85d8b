import { readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { VersionsFile, versionsFileName } from './versions-file.ts'

const key = { id: 'k', bytes: Buffer.alloc(32, 1) }
const at = (seq: number) => ({
  at: { bucket: '2026-11-21', seq, hash: `h${seq}` },
  rows: [{ table: 'api_tokens', key: 't', version: seq }],
})

/** The next write of a draft stands still until `work` is done. */
async function beforeNextDraft(dataDir: string, work: () => Promise<unknown>) {
  const handle = await open(dataDir)
  await handle.close()
  const prototype = Object.getPrototypeOf(handle) as { writeFile: (text: string) => Promise<unknown> }
  const { writeFile } = prototype
  const held = vi.spyOn(prototype, 'writeFile').mockImplementationOnce(async function (this: unknown, text) {
    await work()
    return writeFile.call(this, text)
  })
  return { [Symbol.dispose]: () => held.mockRestore() }
}

it('a later place is not replaced by an earlier one, whose process stood still in the middle of its write', async () => {
  const dataDir = temporaryFolder('leasehold-versions')
  const [one, two] = [new VersionsFile(dataDir, 'k', key), new VersionsFile(dataDir, 'k', key)]
  await one.write(at(1))
  using _held = await beforeNextDraft(dataDir, () => two.write(at(20)))
  await one.write(at(10))
  expect(one.read()).toEqual(at(20))
  expect(readdirSync(dataDir)).toEqual([versionsFileName('k')])
})

it('of writes at once, the last place stands', async () => {
  const dataDir = temporaryFolder('leasehold-versions')
  const places = Array.from({ length: 40 }, (_, i) => 1 + ((i * 17) % 40))
  await Promise.all(places.map((seq) => new VersionsFile(dataDir, 'k', key).write(at(seq))))
  expect(new VersionsFile(dataDir, 'k', key).read()).toEqual(at(40))
  expect(readdirSync(dataDir)).toEqual([versionsFileName('k')])
})
