import { StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { Session } from '../../../contract/people/session.ts'
import { HttpProblem } from '../http-problem.ts'
import { log } from '../log/log.ts'
import { namesMax, OpenRequests } from './open-requests.ts'

const ann: Session = {
  username: 'ann',
  role: 'operator',
  via: 'password',
  scope: null,
  elevatedUntil: null,
  expiresAt: null,
}
let clock: FakeClock
let requests: OpenRequests
let looked: number
let now: () => Session

beforeEach(() => {
  clock = new FakeClock()
  requests = new OpenRequests(clock, log)
  looked = 0
  now = () => ann
})

const open = (
  permit: (session: Session) => void = () => {},
  credential = 'one',
  session = ann,
  name = 'a lock',
) =>
  requests.open(
    credential,
    session,
    name,
    async () => {
      looked++
      return now()
    },
    permit,
  )

it('checks once for all requests of one identity, and stops when they are over', async () => {
  const many = Array.from({ length: 20 }, () => open())
  await clock.advance(10_000)
  expect(looked).toBe(6)
  for (const request of many) request[Symbol.dispose]()
  await clock.advance(10_000)
  expect([looked, requests.identities]).toEqual([6, 0])
})

it('lets one person wait for a hundred names, with any number of requests for each', () => {
  const waitFor = (i: number, session = ann) => open(undefined, session.username, session, `lock ${i}`)
  const many = Array.from({ length: namesMax }, (_, i) => waitFor(i))
  expect(() => waitFor(namesMax)).toThrow('100 different names')
  expect(() => waitFor(0)).not.toThrow()
  expect(() => waitFor(namesMax, { ...ann, username: 'ben' })).not.toThrow()
  many[0]?.[Symbol.dispose]()
  expect(() => waitFor(namesMax)).toThrow('100 different names')
  many[1]?.[Symbol.dispose]()
  expect(() => waitFor(namesMax)).not.toThrow()
})

it('ends requests within 2 s after their sender lost the permission, with the reason', async () => {
  const { signal } = open()
  now = () => {
    throw new HttpProblem('unauthenticated', 'gone')
  }
  await clock.advance(1_999)
  expect([signal.aborted, signal.reason.code]).toEqual([true, 'unauthenticated'])
})

it('ends only requests that the new role does not allow', async () => {
  const forOperators = open(({ role }) => {
    if (role !== 'operator') throw new HttpProblem('forbidden', 'no')
  })
  const forAll = open()
  now = () => ({ ...ann, role: 'viewer' })
  await clock.advance(2_000)
  expect([forOperators.signal.aborted, forAll.signal.aborted]).toEqual([true, false])
})

it('checks at once when their sender was changed on this instance', async () => {
  const [hers, his] = [open(), open(() => {}, 'two')]
  now = () => {
    throw new HttpProblem('unauthenticated', 'gone')
  }
  requests.changed('bob')
  await clock.advance(0)
  expect([hers.signal.aborted, his.signal.aborted]).toEqual([false, false])
  requests.changed('ann')
  await clock.advance(0)
  expect([hers.signal.aborted, his.signal.aborted]).toEqual([true, true])
})

it('ends no request while Cassandra does not answer, and checks again', async () => {
  const { signal } = open()
  now = () => {
    throw new StoreUnavailableError('silent')
  }
  await clock.advance(6_000)
  expect([signal.aborted, looked]).toEqual([false, 4])
  now = () => {
    throw new HttpProblem('unauthenticated', 'gone')
  }
  await clock.advance(2_000)
  expect(signal.aborted).toBe(true)
})

it('lets 200 requests of one person or one token wait, over all sessions; another one when one of them ends', () => {
  const hers = Array.from({ length: 200 }, (_, i) => open(() => {}, `session ${i % 3}`))
  expect(() => open(() => {}, 'session 3')).toThrow(
    expect.objectContaining({ code: 'too-many-requests', headers: { 'Retry-After': '1' } }),
  )
  open(() => {}, 'his', { ...ann, username: 'bob' })
  // A program may be called like a person, and another one like it.
  expect(() => open(() => {}, 'session 3')).toThrow(/^ann has 200 waiting requests open already/)
  const program: Session = { ...ann, role: 'client', via: 'token' }
  for (let i = 0; i < 200; i++) open(() => {}, 'token', program)
  expect(() => open(() => {}, 'token', program)).toThrow(
    /^The token ann has 200 waiting requests open already/,
  )
  open(() => {}, 'other token', program)
  hers[0]?.[Symbol.dispose]()
  open(() => {}, 'session 3')
})

it('looks all senders up in one round, and none of them again before its last look-up has ended', async () => {
  let underWay = 0
  let most = 0
  let release = () => {}
  const blocked = new Promise<void>((resolve) => {
    release = resolve
  })
  const rounds: number[] = []
  for (let i = 0; i < 50; i++)
    requests.open(
      `session ${i}`,
      ann,
      'a lock',
      async () => {
        most = Math.max(most, ++underWay)
        rounds.push(clock.now().monotonicMs)
        await blocked
        underWay--
        return ann
      },
      () => {},
    )
  await clock.advance(6_000)
  expect([most, rounds.length, new Set(rounds).size]).toEqual([50, 50, 1])
  release()
  await clock.advance(1_500)
  expect([rounds.length, new Set(rounds).size]).toEqual([100, 2])
})

it('begins no look-up beside one of the same identity, when its last request left and another came meanwhile', async () => {
  let underWay = 0
  for (let i = 0; i < 5; i++) {
    const silent = () => {
      underWay++
      return new Promise<never>(() => {})
    }
    const request = requests.open('one', ann, 'a lock', silent, () => {})
    await clock.advance(1_600)
    request[Symbol.dispose]()
  }
  expect(underWay).toBe(1)
})

it('ends requests in time while the look-up of another sender is slow', async () => {
  const slow = async () => {
    await clock.sleep(10_000)
    return ann
  }
  requests.open('one', ann, 'a lock', slow, () => {})
  const { signal } = open(() => {}, 'two')
  await clock.advance(1_600)
  now = () => {
    throw new HttpProblem('unauthenticated', 'gone')
  }
  await clock.advance(2_000)
  expect([signal.aborted, signal.reason.code]).toEqual([true, 'unauthenticated'])
})

it('says in the log what follows when it cannot ask whether a session has ended', async () => {
  const said: unknown[] = []
  const told = Object.assign(Object.create(log), { warn: (_: object, text: string) => said.push(text) })
  requests = new OpenRequests(clock, told)
  const { signal } = open()
  now = () => {
    throw new StoreUnavailableError('No node of Cassandra can be reached.')
  }
  await clock.advance(1_600)
  expect(signal.aborted).toBe(false)
  expect(said).toEqual([
    'sessions and tokens of open streams and waiting requests could not be looked up: they stay open, also if one of them has been ended, until Cassandra answers',
  ])
})
