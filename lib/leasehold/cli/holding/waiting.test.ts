import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Election, type Terms } from '../../election/index.ts'
import { LeaseHeldError, Leases, type LeaseView } from '../../lease/index.ts'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
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

/** What a log has of a campaign that wins at once, and whose term begins so many milliseconds later. */
async function campaignLog(termTookMs: number, isTTY = false) {
  const { io, written } = watching(isTTY)
  const clock = new FakeClock()
  const leases = new Leases({ store: new MemoryLeaseStore(clock), clock, timer: clock })
  const terms: Terms = {
    begin: async ({ owner, token }) => {
      await after(termTookMs)()
      return { term: 1n, leader: owner, token, sinceMs: 0 }
    },
    last: async () => null,
  }
  const election = new Election({ leases, group: 'billing', terms })
  const waiting = sayingWait(io, leases.protocol, { name: 'billing', as: 'leader' }, () =>
    election.campaign(),
  )
  await vi.advanceTimersByTimeAsync(termTookMs + 100)
  const { acquired, announces } = await waiting
  return { owner: acquired.owner, announces, log: written() }
}

it('a candidate whose term has not begun yet does not wait for itself', async () => {
  expect(await campaignLog(1_500)).toMatchObject({ log: '', announces: false })
  const { owner, log } = await campaignLog(10_000)
  expect(log).toBe(
    'leasehold: waiting to lead "billing": this process has acquired the lease, which is not confirmed yet.\n',
  )
  expect((await campaignLog(10_000, true)).log).not.toContain('the leader is')
  expect(owner).toContain(`:${process.pid}:`)
})

it('a process of another host with the same process id is another one', async () => {
  const { owner } = await campaignLog(100)
  const other = owner.replace(/[0-9a-f]{12}/, '0123456789ab')
  const { log } = await logOf({ name: 'billing', as: 'leader' }, 2_000, () => heldBy(other))
  expect(log).toContain(`the leader is ${other}`)
})
