import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LeaseHeldError, type LeaseView } from '../../lease/index.ts'
import type { Io } from '../process/io.ts'
import { sayingWait, type Wait } from './waiting.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function watching(isTTY = false) {
  let written = ''
  const output = {
    isTTY,
    columns: 200,
    rows: 24,
    write: (text: string) => {
      written += text
    },
  }
  const io: Io = { env: { NO_COLOR: '1' }, stdout: output, stderr: output, onSignal: () => () => {} }
  return { io, written: () => written }
}

const heldBy = (owner: string): LeaseView => ({ owner, expiresAtMs: null, read: {} }) as LeaseView
const protocol = (read: () => LeaseView | null) => ({ read: async () => read() })
const nightly: Wait = { name: 'nightly', waitMs: 60_000, as: 'holder' }
const after = (ms: number) => () => new Promise<string>((done) => setTimeout(() => done('it'), ms))

/** What a log has after a wait of so many milliseconds. */
async function logOf(wait: Wait, waitedMs: number, read: () => LeaseView | null) {
  const { io, written } = watching()
  const waiting = sayingWait(io, protocol(read), wait, after(waitedMs))
  await vi.advanceTimersByTimeAsync(waitedMs)
  return { ...(await waiting), log: written() }
}

it.each<[Wait, string]>([
  [nightly, 'waiting up to 60 s for "nightly", held by ann'],
  [{ ...nightly, waitMs: 300_000 }, 'waiting up to 5 min 0 s for "nightly", held by ann'],
  [{ name: 'billing', as: 'leader' }, 'waiting to lead "billing"; the leader is ann'],
])('a log has one line of a wait, however long: %j', async (wait, sentence) => {
  const { log, announces, acquired } = await logOf(wait, 30_000, () => heldBy('ann'))
  expect(log).toBe(`leasehold: ${sentence}.\n`)
  expect([acquired, announces]).toEqual(['it', true])
})

it.each([
  ['is over at once', nightly, 500],
  ['may not last', { ...nightly, waitMs: 0 }, 5_000],
] as const)('a log stays empty where the wait %s', async (_, wait, tookMs) => {
  expect(await logOf(wait, tookMs, () => heldBy('ann'))).toMatchObject({ log: '', announces: false })
})

it('says who broke the lease, while it waits and when the time to wait is over', async () => {
  const value = JSON.stringify({ quarantine: { was: 'bob', by: 'ann', at: '2026-01-01T00:00:00.000Z' } })
  const broken = { ...heldBy('!quarantine:r1'), name: 'nightly', value }
  const { log } = await logOf(nightly, 5_000, () => broken)
  expect(log).toContain('for "nightly", which ann broke; it is free again in')
  const held = async () => Promise.reject(new LeaseHeldError('nightly', '!quarantine:r1'))
  const atOnce: Wait = { ...nightly, waitMs: 0 }
  await expect(
    sayingWait(
      watching().io,
      protocol(() => broken),
      atOnce,
      held,
    ),
  ).rejects.toThrow(/^ann broke the lease "nightly", which bob held\. No process can acquire it/)
})

it('says that an operator broke the lease', async () => {
  const { log } = await logOf(nightly, 5_000, () => heldBy('!quarantine:r1'))
  expect(log).toContain('for "nightly", which an operator broke')
  expect(log).not.toContain('!quarantine')
})

it('says that there is no holder only after a while', async () => {
  expect((await logOf(nightly, 2_500, () => null)).log).toBe('')
  expect((await logOf(nightly, 9_000, () => null)).log).toContain('has no holder at this moment')
})

it('says why it cannot tell for whom it waits', async () => {
  const { log } = await logOf(nightly, 5_000, () => {
    throw new Error('No node of Cassandra can be reached.')
  })
  expect(log).toBe('leasehold: waiting up to 60 s for "nightly": No node of Cassandra can be reached.\n')
})

it('a terminal has a line that goes when the wait is over', async () => {
  const { io, written } = watching(true)
  const waiting = sayingWait(
    io,
    protocol(() => heldBy('ann')),
    nightly,
    after(3_500),
  )
  await vi.advanceTimersByTimeAsync(3_500)
  expect(await waiting).toMatchObject({ announces: true })
  const erase = '\r\x1b[K'
  const line = 'leasehold: waiting up to 60 s for "nightly", held by ann; it has no expiry'
  expect(written().split(erase).filter(Boolean)).toEqual([line, line, line, line])
  expect(written().endsWith(erase)).toBe(true)
})
