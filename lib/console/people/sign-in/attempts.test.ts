import { FakeClock } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { HttpProblem } from '../../http/http-problem.ts'
import { Attempts, type Tried } from './attempts.ts'

const from = (address: string, account: string | null = 'operator-1'): Tried => ({
  by: 'stranger',
  account,
  address,
})
const inSession = (session: string, account = 'operator-1'): Tried => ({ by: 'session', account, session })
const fromDevice = (device: string): Tried => ({ by: 'device', account: 'operator-1', device })
const signedIn = inSession('one')

let clock: FakeClock
let attempts: Attempts

beforeEach(() => {
  clock = new FakeClock()
  attempts = new Attempts(clock)
})

/** Seconds to wait as the refusal says them; 0: the try was let through, and counts as a failure. */
function fail(tried: Tried): number {
  try {
    attempts.begin(tried)
    return 0
  } catch (thrown) {
    const { code, message, headers } = thrown as HttpProblem
    expect(code).toBe('too-many-attempts')
    const seconds = Number(headers['Retry-After'])
    expect(message).toBe(`Too many attempts. Try again in ${seconds} s.`)
    return seconds
  }
}

const failTimes = (times: number, tried: Tried) => {
  for (let i = 0; i < times; i++) expect(fail(tried), `failure ${i + 1}`).toBe(0)
}

describe('an account from an address', () => {
  it('has five failures free, then waits 1, 2, 4 … s, and 5 min at most', async () => {
    failTimes(5, from('a'))
    const waits: number[] = []
    for (let i = 0; i < 11; i++) {
      waits.push(fail(from('a')))
      await clock.advance((waits.at(-1) as number) * 1000)
      expect(fail(from('a'))).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  })

  it('gets the rest of the wait, rounded up; a refused try does not make it longer', async () => {
    failTimes(5, from('a'))
    await clock.advance(1000)
    failTimes(1, from('a'))
    expect(fail(from('a'))).toBe(2)
    await clock.advance(900)
    expect(fail(from('a'))).toBe(2)
    await clock.advance(200)
    expect(fail(from('a'))).toBe(1)
    await clock.advance(900)
    expect(fail(from('a'))).toBe(0)
  })

  it('counts tries that are under way, so that a hundred at once are a hundred', () => {
    const underWay = Array.from({ length: 5 }, () => attempts.begin(from('a')))
    expect(fail(from('a'))).toBe(1)
    underWay[0]?.succeeded()
    expect(fail(from('a'))).toBe(0)
  })

  it('starts counting again after a success, and after a quarter of an hour', async () => {
    failTimes(4, from('a'))
    attempts.begin(from('a')).succeeded()
    failTimes(5, from('a'))
    expect(fail(from('a'))).toBe(1)
    await clock.advance(15 * 60_000)
    failTimes(5, from('a'))
  })

  it('does not count a try whose password could not be checked', () => {
    for (let i = 0; i < 20; i++) attempts.begin(from('a')).withdraw()
    failTimes(5, from('a'))
  })
})

describe('a judged try', () => {
  it('fails by null, succeeds by any other result, and is not counted when it throws', async () => {
    const judge = (found: () => Promise<'user' | null>) => attempts.judge(from('a'), found)
    for (let i = 0; i < 4; i++) expect(await judge(async () => null)).toBeNull()
    for (let i = 0; i < 4; i++)
      await expect(judge(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
    expect(await judge(async () => 'user')).toBe('user')
    for (let i = 0; i < 5; i++) await judge(async () => null)
    await expect(judge(async () => 'user')).rejects.toMatchObject({ code: 'too-many-attempts' })
  })
})

describe('guesses from elsewhere do not lock an operator out', () => {
  /** One guesser, many addresses, one name: until the wait for the account is reached. */
  const guessFromEverywhere = () => {
    for (let i = 0; i < 50; i++) expect(fail(from(`10.0.${i}.1`))).toBe(0)
  }

  it('slows guesses from many addresses at one name, by 30 s at most', async () => {
    guessFromEverywhere()
    expect(fail(from('10.1.0.1'))).toBe(1)
    for (let i = 0; i < 10; i++) {
      await clock.advance(30_000)
      expect(fail(from(`10.2.${i}.1`))).toBe(0)
    }
    expect(fail(from('10.3.0.1'))).toBe(30)
  })

  it('lets a device in at any time, while ten addresses guess once each in five minutes', async () => {
    guessFromEverywhere()
    // Ten addresses, a guess each in five minutes: the wait of the account never ends.
    for (let i = 0; i < 200; i++) {
      await clock.advance(30_000)
      expect(fail(from(`10.4.${i % 10}.1`))).toBe(0)
      expect(fail(from('new address'))).toBeGreaterThan(0)
      attempts.begin(fromDevice('laptop')).succeeded()
    }
  })

  it('holds the tries of a device against that device alone', async () => {
    failTimes(5, fromDevice('stolen'))
    expect(fail(fromDevice('stolen'))).toBe(1)
    expect(fail(fromDevice('laptop'))).toBe(0)
    expect(fail(from('office'))).toBe(0)
    for (let i = 0; i < 60; i++) fail(fromDevice('stolen'))
    expect(fail(from('office'))).toBe(0)
  })

  it('a signed-in user can elevate while strangers guess', async () => {
    guessFromEverywhere()
    failTimes(5, signedIn)
    expect(fail(signedIn)).toBe(1)
    await clock.advance(1000)
    attempts.begin(signedIn).succeeded()
    failTimes(5, signedIn)
  })
})

describe('a session', () => {
  it('that was stolen does not keep the account’s other sessions from elevating, unless there are very many', async () => {
    failTimes(5, inSession('stolen'))
    expect(fail(inSession('stolen'))).toBe(1)
    expect(fail(inSession('own'))).toBe(0)
    for (let i = 0; i < 44; i++) expect(fail(inSession(`stolen ${i}`))).toBe(0)
    expect(fail(inSession('own'))).toBe(1)
    expect(fail(inSession('other', 'operator-2'))).toBe(0)
  })
})

describe('a right password', () => {
  const right = (tried: Tried) => attempts.begin(tried).succeeded()
  const rightTimes = (times: number, tried: Tried) => {
    for (let i = 0; i < times; i++) right(tried)
  }

  it('is good for 20 times a minute from an address, and in a session', async () => {
    rightTimes(20, from('a'))
    await clock.advance(20_000)
    expect(fail(from('a'))).toBe(40)
    rightTimes(20, signedIn)
    expect(fail(signedIn)).toBe(60)
    await clock.advance(40_000)
    rightTimes(20, from('a'))
    expect(fail(from('a'))).toBe(60)
  })

  it('is good for 60 times a minute in all, so that one thief of it does not use up the owner’s share', () => {
    rightTimes(20, from('a'))
    rightTimes(20, from('b'))
    rightTimes(20, from('office'))
    expect(fail(from('c'))).toBe(60)
    expect(fail(from('c', 'operator-2'))).toBe(0)
  })

  it('is checked before those of strangers, where it comes from a device or a session', () => {
    expect(attempts.begin(from('office')).asker.known).toBe(false)
    expect(attempts.begin(fromDevice('laptop')).asker.known).toBe(true)
    expect(attempts.begin(from('elsewhere')).asker).toEqual({ known: false, key: 'elsewhere' })
    expect(attempts.begin(signedIn).asker.known).toBe(true)
  })
})

describe('an address', () => {
  it('waits after 50 failures over all names, and a success with one of them clears nothing', () => {
    for (let i = 0; i < 50; i++) {
      failTimes(1, from('a', `name-${i}`))
      if (i % 10 === 0) attempts.begin(from('a', 'mine')).succeeded()
    }
    expect(fail(from('a', 'another'))).toBe(1)
    expect(fail(from('b', 'another'))).toBe(0)
  })

  it('of IPv6 is a network of 64 bits', () => {
    for (let i = 0; i < 5; i++) failTimes(1, from(`2001:db8::${i + 1}`))
    expect(fail(from('2001:db8::ffff'))).toBe(1)
    expect(fail(from('2001:db8:0:1::1'))).toBe(0)
  })

  it('alone is counted when the request has no user name', () => {
    failTimes(50, from('a', null))
    expect(fail(from('a', null))).toBe(1)
  })
})

describe('memory', () => {
  it('is bounded: the oldest counts are forgotten', () => {
    failTimes(5, signedIn)
    for (let i = 0; i < 20_000; i++) attempts.begin(inSession(`${i}`, `made-up-${i}`))
    expect(fail(signedIn)).toBe(0)
    expect(fail(inSession('19999', 'made-up-19999'))).toBe(0)
  })
})

it('tries that overlap, and were all right, leave no failure behind', async () => {
  for (let i = 0; i < 60; i++) {
    const [one, other] = [attempts.begin(from('a', `first-${i}`)), attempts.begin(from('a', `second-${i}`))]
    one.succeeded()
    other.succeeded()
    await clock.advance(10_000)
  }
  expect(fail(from('a', 'another'))).toBe(0)
})
