import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { testLog } from '../../audit/chain/test-audit.ts'
import { MemoryAuditStore } from '../../audit/chain/test-memory-audit-store.ts'
import { ActWindow } from '../../http/act-window.ts'
import type { SignInServices } from '../people-services.ts'
import { endElevation, signOut } from './session-handlers.ts'

type Input = Parameters<typeof signOut>[0]

let clock: FakeClock
let store: MemoryAuditStore
let audit: ReturnType<typeof testLog>['audit']
/** What was done, in order; each with the phases that the audit log had by then. */
let done: string[]
let services: SignInServices
/** Whether the session is there yet. */
let isOpen: boolean

const phases = () =>
  [...store.buckets.values()]
    .flatMap(({ rows }) => [...rows.values()].map(({ body }) => JSON.parse(body)))
    .filter(({ act }) => act !== 'seal')
    .map(({ act, phase, outcome }) => `${act} ${phase} ${outcome}`)

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  store = new MemoryAuditStore()
  audit = testLog({ store, clock, timer: clock }).audit
  done = []
  isOpen = true
  const note = async <T>(what: string, given?: T) => {
    done.push(`${what} after ${phases().join(', ') || 'nothing'}`)
    return given
  }
  const row = { table: 'sessions', key: 'hash', version: 2 }
  const user = { username: 'ann', version: 4 }
  const sessions = {
    lower: () => note('lower', row),
    closeAll: () => note('close all', [{ table: 'users', key: 'ann', version: 5 }]),
    close: async () => {
      const wasOpen = isOpen
      isOpen = false
      await note('close')
      return wasOpen
    },
    endedRow: () => ({ table: 'sessions', key: 'hash', version: null }),
  }
  const users = { find: async () => user }
  const config = { publicUrl: new URL('http://localhost:3000') }
  services = { audit, sessions, users, clock, config } as unknown as SignInServices
})

const input = (everywhere?: 'true') =>
  ({
    sessionId: 'an-id.YW5u',
    window: new ActWindow(clock),
    session: {
      username: 'ann',
      role: 'operator',
      via: 'password',
      elevatedUntil: '2026-11-21T12:10:00.000Z',
    },
    query: { everywhere },
    address: null,
    requestId: 'r',
  }) as unknown as Input
const end = () => endElevation(input() as never, services)

it('an elevation ends, and a person is signed out everywhere, after the intent is written', async () => {
  expect(await clock.run(end())).toMatchObject({ status: 200, body: { elevatedUntil: null } })
  expect(done).toEqual(['lower after elevation intent null'])
  await clock.advance(1_000)
  expect(phases()).toEqual(['elevation intent null', 'elevation outcome ended'])
  done = []
  expect(await clock.run(signOut(input('true'), services))).toMatchObject({ status: 204 })
  expect(done[0]).toMatch(/^close all after .*sign-out intent null$/)
  await clock.advance(1_000)
  expect(phases().at(-1)).toBe('sign-out outcome ok')
})

it('without the audit log neither is done, and one’s own session ends all the same', async () => {
  store.down = true
  const unavailable = { code: 'audit-unavailable' }
  await expect(clock.run(end())).rejects.toMatchObject(unavailable)
  await expect(clock.run(signOut(input('true'), services))).rejects.toMatchObject(unavailable)
  expect(done).toEqual([])
  expect(await clock.run(signOut(input(), services))).toMatchObject({ status: 204 })
  expect(done).toEqual(['close after nothing'])
})

it('a session that many requests end at once has one entry', async () => {
  const replies = await clock.run(Promise.all(Array.from({ length: 12 }, () => signOut(input(), services))))
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 204))
  await clock.advance(1_000)
  expect(phases()).toEqual(['sign-out event ok'])
})
