import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { FakeClock } from 'leasehold/testing'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { type Anchor, anchorFilesIn, anchorsIn, pruned } from './anchor.ts'
import { AnchorFile } from './anchor-file.ts'

const anchor = (bucket: string, seq: number): Anchor => ({
  at: `${bucket}T00:00:${String(seq).padStart(2, '0')}.000Z`,
  keyspace: 'leasehold',
  chain: 'main',
  bucket,
  seq,
  hash: 'a'.repeat(64),
  keyId: 'k',
})
const directory = () => temporaryFolder('leasehold-anchors')
const kept = (dataDir: string) =>
  anchorFilesIn(dataDir).flatMap((file) =>
    anchorsIn(readFileSync(file, 'utf8')).map(({ bucket, seq }) => [bucket, seq]),
  )

it('keeps anchors for its owner alone, one a line', async () => {
  const dataDir = directory()
  const file = new AnchorFile(dataDir, new FakeClock())
  for (const seq of [1, 2]) await file.keep(anchor('2026-11-21', seq))
  expect(kept(dataDir)).toEqual([
    ['2026-11-21', 1],
    ['2026-11-21', 2],
  ])
  expect(statSync(join(dataDir, 'audit-anchors.jsonl')).mode & 0o777).toBe(0o600)
})

it('loses one line to a crash in the middle of its write, and not the next line', async () => {
  const dataDir = directory()
  await new AnchorFile(dataDir, new FakeClock()).keep(anchor('2026-11-21', 1))
  appendFileSync(join(dataDir, 'audit-anchors.jsonl'), '{"at":"2026-11-21T00:0')
  await new AnchorFile(dataDir, new FakeClock()).keep(anchor('2026-11-21', 3))
  expect(kept(dataDir)).toEqual([
    ['2026-11-21', 1],
    ['2026-11-21', 3],
  ])
})

it('is pruned to the last of each bucket and the newest', async () => {
  const dataDir = directory()
  const clock = new FakeClock()
  const file = new AnchorFile(dataDir, clock, 6)
  for (const day of ['2026-11-19', '2026-11-20'])
    for (const seq of [1, 2, 3]) await clock.run(file.keep(anchor(day, seq)))
  for (const seq of [1, 2, 3, 4, 5, 6]) await clock.run(file.keep(anchor('2026-11-21', seq)))
  expect(kept(dataDir)).toEqual([
    ['2026-11-19', 3],
    ['2026-11-20', 3],
    ...[1, 2, 3, 4, 5, 6].map((seq) => ['2026-11-21', seq]),
  ])
  expect(readdirSync(dataDir)).toEqual(['audit-anchors.kept.jsonl'])
})

it('passes over an anchor that names no bucket', () => {
  const lines = ['2026-11-21', '2026-11-21#1000000000000000', '2026-11-21#1', 'x', '2026-11-21#2']
  const text = lines.map((bucket) => JSON.stringify(anchor(bucket, 1))).join('\n')
  expect(anchorsIn(text).map(({ bucket }) => bucket)).toEqual(['2026-11-21', '2026-11-21#2'])
})

const of = (chain: Anchor['chain'], seq: number, hash: string, second = seq): Anchor => ({
  ...anchor('2026-11-21', seq),
  chain,
  hash,
  at: `2026-11-21T00:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000Z`,
})

it('drops nothing of one chain for a flood in the other', async () => {
  const flood = Array.from({ length: 100 }, (_, i) => of('refused', i + 1, 'r', 10 + i))
  const kept = pruned([...[1, 2, 3].map((seq) => of('main', seq, 'm')), ...flood], 5)
  expect(kept.map(({ chain, seq }) => `${chain} ${seq}`)).toEqual([
    ...['main 1', 'main 2', 'main 3'],
    ...[96, 97, 98, 99, 100].map((seq) => `refused ${seq}`),
  ])
})

it('keeps for ever the anchors that prove that a chain was cut and continued', async () => {
  const told = [1, 2, 4, 6].map((seq) => of('main', seq, 'before'))
  // Cut after 2. One anchor is at the place of another; one falls between; then it is longer than it ever was.
  const again = [3, 4, 7, 8, 9, 10].map((seq, i) => of('main', seq, 'after', 10 + i))
  const kept = pruned([...told, ...again], 2).map(({ seq, hash }) => `${seq} ${hash}`)
  expect(kept).toEqual(['4 before', '6 before', '3 after', '4 after', '9 after', '10 after'])
  const between = [of('main', 5, 'before'), ...[4, 6, 7, 8].map((seq, i) => of('main', seq, 'after', 10 + i))]
  expect(pruned(between, 1).map(({ seq }) => seq)).toEqual([5, 4, 8])
})

it('is pruned by one process at a time; anchors that arrive meanwhile are kept', async () => {
  const dataDir = directory()
  const clock = new FakeClock()
  const file = new AnchorFile(dataDir, clock)
  await file.keep(anchor('2026-11-21', 1))
  mkdirSync(join(dataDir, 'audit-anchors.pruning'))
  expect(await file.prune()).toBe(false)
  const otherDir = directory()
  const other = new AnchorFile(otherDir, clock)
  await other.keep(anchor('2026-11-21', 1))
  const pruning = other.prune()
  await other.keep(anchor('2026-11-21', 2))
  expect(await clock.run(pruning)).toBe(true)
  expect(kept(otherDir)).toEqual([
    ['2026-11-21', 2],
    ['2026-11-21', 1],
  ])
})

it('writes an anchor again whose file another process took away between the opening and the write', async () => {
  const dataDir = directory()
  const clock = new FakeClock()
  const [file, another] = [new AnchorFile(dataDir, clock), new AnchorFile(dataDir, clock)]
  await file.keep(anchor('2026-11-21', 1))
  await file.keep(anchor('2026-11-21', 2))
  using _held = await beforeNextWrite(dataDir, () => clock.run(another.prune()))
  await file.keep(anchor('2026-11-21', 3))
  expect(kept(dataDir).map(([, seq]) => seq)).toEqual([3, 1, 2])
})

it('gives up an anchor whose file is taken away each time', async () => {
  const dataDir = directory()
  const clock = new FakeClock()
  const file = new AnchorFile(dataDir, clock)
  await file.keep(anchor('2026-11-21', 1))
  using _held = await beforeNextWrite(dataDir, async () => rmSync(join(dataDir, 'audit-anchors.jsonl')), 10)
  await expect(file.keep(anchor('2026-11-21', 2))).rejects.toThrow('taken away')
})

/** The next appends stand still between the opening of their file and the write, until `work` is done. */
async function beforeNextWrite(dataDir: string, work: () => Promise<unknown>, times = 1) {
  const handle = await open(dataDir)
  await handle.close()
  const prototype = Object.getPrototypeOf(handle) as { write: (data: Buffer) => Promise<unknown> }
  const { write } = prototype
  const held = vi.spyOn(prototype, 'write')
  for (let time = 0; time < times; time++)
    held.mockImplementationOnce(async function (this: unknown, data) {
      await work()
      return write.call(this, data)
    })
  return { [Symbol.dispose]: () => held.mockRestore() }
}

it('reads anchors out of the structured log too', () => {
  const line = JSON.stringify({ level: 30, anchor: anchor('2026-11-21', 7), msg: 'audit' })
  expect(anchorsIn(`${line}\n{"level":30,"hash":"x"}\nnot JSON "hash"\n`)).toEqual([anchor('2026-11-21', 7)])
})
