import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import { log } from '../../http/log/log.ts'
import type { PermittedSender } from '../actor.ts'
import { ActLimit, actsShare, programActsShare } from './act-limit.ts'

function setUp() {
  const clock = new FakeClock()
  const written: AuditEvent[] = []
  const audit = { appendUntilWritten: async (event: AuditEvent) => void written.push(event) }
  const limit = new ActLimit({ audit, clock, timer: clock, log })
  const take = (username: string, act: 'acquire' | 'release' = 'acquire') => {
    const session = { username, role: 'operator', via: 'password' }
    const senderKey = `person ${username}`
    limit.take(act, { session, senderKey, address: '10.0.0.7', requestId: 'r' } as unknown as PermittedSender)
  }
  const takeByToken = (senderKey: string, username: string) => {
    const session = { username, role: 'client', via: 'token' }
    limit.take('release', { session, senderKey, address: null, requestId: 'r' } as unknown as PermittedSender)
  }
  return { clock, written, limit, take, takeByToken }
}

it('one person does 600 acts in ten minutes; one entry says how many more were refused', async () => {
  const { clock, written, take } = setUp()
  for (let n = 0; n < actsShare.perKey; n++) take('ann')
  await clock.advance(60_000)
  const refused = expect.objectContaining({
    code: 'too-many-requests',
    headers: expect.objectContaining({ 'Retry-After': '540' }),
  })
  for (let n = 0; n < 40; n++) expect(() => take('ann')).toThrow(refused)
  expect(() => take('ann', 'release')).toThrow(refused)
  take('bea')
  expect(written).toEqual([])
  await clock.advance(540_000)
  expect(written).toMatchObject([
    {
      act: 'flood',
      outcome: 'refused',
      actor: { username: 'ann', address: '10.0.0.7' },
      after: { counted: 41, acts: { acquire: 40, release: 1 } },
    },
  ])
  take('ann')
  await clock.advance(600_000)
  expect(written).toHaveLength(1)
})

it('what was refused when the process ends is written before', async () => {
  const { clock, written, limit, take } = setUp()
  for (let n = 0; n < actsShare.perKey; n++) take('ann')
  expect(() => take('ann')).toThrow()
  limit.tell()
  expect(written).toMatchObject([{ after: { counted: 1 } }])
  await clock.advance(600_000)
  expect(written).toHaveLength(1)
})

it('a second token of the same name was refused for what the first had done', async () => {
  const { clock, written, takeByToken } = setUp()
  for (let n = 0; n < programActsShare.perKey; n++) takeByToken('token one', 'billing')
  expect(() => takeByToken('token one', 'billing')).toThrow(/600 by one token/)
  for (let n = 0; n < programActsShare.perKey; n++) takeByToken('token two', 'billing')
  for (let n = 0; n < 2; n++) expect(() => takeByToken('token two', 'billing')).toThrow(/600 by one token/)
  await clock.advance(programActsShare.windowMs)
  expect(written).toMatchObject([
    { actor: { username: 'billing' }, after: { counted: 1 } },
    { actor: { username: 'billing' }, after: { counted: 2 } },
  ])
})
