/** Leases are closed while their owner waits, or while an answer is under way: no lease is acquired from then on. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CassandraSession, createTables } from '../../cassandra/index.ts'
import { type Lease, Leases } from '../../lease/index.ts'
import { FaultProxy } from '../../testing/index.ts'
import { testContactPoint, testSession } from '../node-session.ts'
import { Programs, testConnection } from '../programs.ts'
import type { WaitingSettings } from './waiting.program.ts'

const keyspace = 'closing_leases_test'
const waiting = join(import.meta.dirname, 'waiting.program.ts')
const each = 8
/** For a busy machine, and less than the timers of the driver that could keep a process alive: 12 s and more. */
const endsWithinMs = 10_000
let programs: Programs
let session: CassandraSession
let proxy: FaultProxy

beforeAll(async () => {
  programs = await Programs.compile(waiting)
  session = await testSession(keyspace)
  await createTables(session)
})
afterAll(async () => {
  programs?.remove()
  await session?.close()
})
beforeEach(async () => {
  const [host = '', port = ''] = testContactPoint().split(':')
  proxy = await FaultProxy.listen(host, Number(port))
})
afterEach(() => proxy?.close())

const names = (what: string) =>
  Array.from({ length: each }, () => `closing/${what}/${randomBytes(6).toString('hex')}`)

/** @returns when the program waits, and for which names */
function start() {
  const [locks, groups] = [names('lock'), names('group')]
  const connection = testConnection(keyspace, proxy.contactPoint)
  const begin = () => programs.start(waiting, { connection, locks, groups } satisfies WaitingSettings)
  return { all: [...locks, ...groups], begin }
}

const ownersOf = (all: string[]) =>
  Promise.all(all.map(async (name) => (await session.store.read(name)).cells?.owner ?? null))

const closed = () => Array.from({ length: 2 * each }, () => 'closed')
const free = () => Array.from({ length: 2 * each }, () => null)

it.each([
  { when: 'long before the holder releases', releaseAfterMs: 500 },
  { when: 'at the moment in which the holder releases', releaseAfterMs: 0 },
  { when: 'a moment after the holder has released', releaseAfterMs: -60 },
])('closed $when: waiting ends, and no lease is acquired', async ({ releaseAfterMs }) => {
  const { all, begin } = start()
  await using holder = new Leases(session)
  const held: Lease[] = await Promise.all(all.map((name) => holder.acquire(name)))
  const program = begin()
  await program.says('waiting')
  await pause(1_000)
  const release = () => Promise.all(held.map((lease) => lease.release()))
  if (releaseAfterMs < 0) {
    // It is released once more below, and throws there if it fails.
    release().catch(() => {})
    await pause(-releaseAfterMs)
  }
  program.tell()
  if (releaseAfterMs > 0) {
    await program.says('closing')
    await pause(releaseAfterMs)
  }
  await release()
  const over = await program.says('over')
  const end = await program.says('closed')
  const ended = await program.endsWithin(endsWithinMs)
  const outcomes = over.outcomes as string[]
  const acquired = outcomes.filter((outcome) => outcome === 'acquired').length
  console.info(
    `closed ${releaseAfterMs} ms before the release: all rejected after ${Math.round(Number(over.afterMs))} ms, ${acquired} acquired before; closed after ${Math.round(Number(end.afterMs))} ms; exit code ${ended.code}`,
  )
  expect(ended).toEqual({ code: 0, stderr: '' })
  // What was acquired before it was closed was released by closing.
  if (releaseAfterMs > 0) expect(outcomes).toEqual(closed())
  else expect(outcomes.every((it) => it === 'closed' || it === 'acquired')).toBe(true)
  await pause(3_000)
  expect(await ownersOf(all)).toEqual(free())
})

it('closed while the answers to its tries are under way: what they acquired is released', async () => {
  const { all, begin } = start()
  const program = begin()
  // Connected, and about to try.
  proxy.holdAfter(all[0] as string)
  await program.says('waiting')
  while ((await ownersOf(all)).includes(null)) await pause(100)
  program.tell()
  const over = await program.says('over')
  expect(over.outcomes).toEqual(closed())
  // The answers are held back until later.
  expect(over.afterMs).toBeLessThan(5_000)
  proxy.deliverAnswers()
  await program.says('closed')
  expect(await program.endsWithin(endsWithinMs)).toEqual({ code: 0, stderr: '' })
  await pause(3_000)
  expect(await ownersOf(all)).toEqual(free())
})
