/** A disk that is full for a moment: a write takes what fits, without an error, and the next one fails. */
import { readdirSync, readFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { type Anchor, anchorFilesIn, anchorsIn } from './anchor.ts'
import { AnchorFile } from './anchor-file.ts'
import { VersionsFile, versionsFileName } from './versions-file.ts'

const disk = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const open: typeof real.open = async (...options) => onSmallDisk(await real.open(...options))
  return { ...real, open }
})

/** As Linux does it: `write` takes what fits, and fails when nothing does; `writeFile` writes until all is written. */
function onSmallDisk(file: FileHandle): FileHandle {
  const write = file.write.bind(file) as (data: Buffer) => Promise<{ bytesWritten: number }>
  const short = async (data: string | Buffer) => {
    const bytes = Buffer.from(data as string)
    if (disk.left <= 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    const { bytesWritten } = await write(bytes.subarray(0, disk.left))
    disk.left -= bytesWritten
    return { bytesWritten, buffer: data }
  }
  const whole = async (data: string | Buffer) => {
    let rest = Buffer.from(data as string)
    while (rest.length > 0) rest = rest.subarray((await short(rest)).bytesWritten)
  }
  return Object.assign(file, { write: short, writeFile: whole })
}

const key = { bytes: Buffer.alloc(32, 1), id: 'k' }
const versions = (seq: number, length: number) => ({
  at: { bucket: '2026-11-21', seq, hash: 'a' },
  rows: Array.from({ length }, (_, i) => ({ table: 'users', key: `user-${i}`, version: 1 })),
})
const anchor = (seq: number): Anchor => {
  const place = { keyspace: 'leasehold', chain: 'main' as const, bucket: '2026-11-21', seq }
  return { at: '2026-11-21T00:00:00.000Z', ...place, hash: 'a'.repeat(64), keyId: 'k' }
}
const kept = (dataDir: string) =>
  anchorFilesIn(dataDir).flatMap((file) => anchorsIn(readFileSync(file, 'utf8')).map(({ seq }) => seq))

let dataDir: string
beforeEach(() => {
  disk.left = Number.POSITIVE_INFINITY
  dataDir = temporaryFolder('leasehold-full-disk')
})

it.each([1_000, 0])('of the row versions, the file before stands (%s bytes left)', async (left) => {
  const file = new VersionsFile(dataDir, 'leasehold', key)
  await file.write(versions(1, 20))
  disk.left = left
  await expect(file.write(versions(2, 200))).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(file.read()).toEqual(versions(1, 20))
  expect(readdirSync(dataDir)).toEqual([versionsFileName('leasehold')])
})

it('an anchor that was cut is not acknowledged, and spoils no other', async () => {
  const clock = new FakeClock()
  const file = new AnchorFile(dataDir, clock)
  const another = new AnchorFile(dataDir, clock)
  await file.keep(anchor(1))
  for (const [cut, next] of [
    [2, 3],
    [4, 5],
  ] as const) {
    disk.left = 100
    await expect(file.keep(anchor(cut))).rejects.toThrow('100 of')
    await expect(file.keep(anchor(cut))).rejects.toMatchObject({ code: 'ENOSPC' })
    disk.left = Number.POSITIVE_INFINITY
    // The process that shares the directory did not see that the line was cut.
    await (cut === 2 ? file : another).keep(anchor(next))
  }
  expect(kept(dataDir)).toEqual([1, 3, 5])
})

it('pruning leaves every anchor where it was', async () => {
  const clock = new FakeClock()
  const file = new AnchorFile(dataDir, clock, 2)
  for (const seq of [1, 2, 3, 4]) await clock.run(file.keep(anchor(seq)))
  const before = kept(dataDir).toSorted()
  disk.left = 100
  await expect(clock.run(file.prune())).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(kept(dataDir).toSorted()).toEqual(before)
  expect(readdirSync(dataDir).filter((name) => !name.endsWith('.jsonl'))).toEqual([])
  disk.left = Number.POSITIVE_INFINITY
  expect(await clock.run(file.prune())).toBe(true)
  expect(kept(dataDir)).toEqual([3, 4])
})
