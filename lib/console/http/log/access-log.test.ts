import { FakeClock } from 'leasehold/testing'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../../contract/people/session.ts'
import { Sampler } from '../limits/sampler.ts'
import { type Access, logAccess, strangerLines } from './access-log.ts'
import { logOptions } from './log.ts'

function linesOf(work: (log: pino.Logger) => void): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = []
  work(pino({ ...logOptions, level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }))
  return lines
}

const read: Access = {
  requestId: '0123456789',
  method: 'GET',
  address: '192.0.2.1',
  route: 'listLeases',
  params: {},
  table: null,
  session: null,
  withToken: false,
  waits: false,
  streams: false,
}

describe('the log of requests', () => {
  it.each<[string, Partial<Access>, number, number, number]>([
    ['a read', {}, 200, 20, 0],
    ['a read of nothing', {}, 404, 20, 0],
    ['a refused read', {}, 401, 2, 1],
    ['a failed read', {}, 503, 20, 1],
    ['a slow read', {}, 200, 1001, 1],
    ['a read that waits', { waits: true }, 200, 30_000, 0],
    ['a stream, at its end', { route: 'watch', streams: true }, 200, 30_000, 1],
    ['a change', { method: 'PUT', route: 'putLock' }, 201, 20, 1],
    ['a change that was refused', { method: 'DELETE', route: 'deleteLock' }, 412, 20, 1],
    ['what is over the limit, which says so itself', { method: 'PUT', route: null }, 429, 0, 0],
    ['a guess too many', { method: 'POST', route: 'signIn' }, 429, 2, 1],
  ])('%s', (_, access, status, ms, count) => {
    expect(linesOf((log) => logAccess(log, { ...read, ...access }, { status, ms }))).toHaveLength(count)
  })

  it('has a limited number of lines for refused strangers, by address and in all; the next line says how many were left out', async () => {
    const clock = new FakeClock(1_790_000_000_000)
    const sampler = new Sampler(clock, strangerLines)
    const refused = (log: pino.Logger, address: string, access: Partial<Access> = {}) =>
      logAccess(log, { ...read, ...access, address }, { status: 401, ms: 1 }, sampler)
    const flood = linesOf((log) => {
      for (let i = 0; i < 5_000; i++) refused(log, '192.0.2.1')
      for (let i = 0; i < 5_000; i++) refused(log, `198.51.${i % 100}.${i % 7}`)
    })
    expect(flood).toHaveLength(120)
    expect(flood.filter(({ address }) => address === '192.0.2.1')).toHaveLength(20)
    // Who is signed in is logged, whatever strangers send.
    const session = { username: 'ada', role: 'viewer' } as Session
    expect(linesOf((log) => refused(log, '192.0.2.1', { session }))).toHaveLength(1)
    await clock.advance(60_000)
    expect(linesOf((log) => refused(log, '192.0.2.1'))).toMatchObject([{ notLogged: 4_900 }])
  })

  it('says who, from where, what and how long, under the id of the request', () => {
    const session = { username: 'ada', role: 'operator' } as Session
    const [line] = linesOf((log) =>
      logAccess(log, { ...read, method: 'POST', route: 'release', session }, { status: 200, ms: 12.6 }),
    )
    expect(line).toMatchObject({
      act: 'request',
      requestId: '0123456789',
      method: 'POST',
      route: 'release',
      status: 200,
      ms: 13,
      username: 'ada',
      role: 'operator',
      address: '192.0.2.1',
    })
  })
})

it('secrets that code logs by mistake are not written', () => {
  const secret = 'correct horse battery'
  const names = ['password', 'token', 'plan', 'cookie', 'authorization', 'set-cookie', 'secret', 'link']
  const lines = linesOf((log) => {
    for (const name of names) log.info({ [name]: secret, headers: { [name]: secret } }, 'a slip')
  })
  expect(lines).toHaveLength(names.length)
  expect(JSON.stringify(lines)).not.toContain(secret)
})
