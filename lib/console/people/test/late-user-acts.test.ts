/** Acts on users by a process that is stopped for ten minutes before one of its statements. */
import { StatementUnknownError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import { ActWindow } from '../../http/act-window.ts'
import { RowSeal } from '../../store/row-seal.ts'
import { RowVersions } from '../../store/row-versions.ts'
import { SealedRows } from '../../store/sealed-rows.ts'
import { changeUser, createUser, setPassword } from '../user-acts.ts'
import { userColumns } from '../user-row.ts'
import { Users } from '../users.ts'

const stoppedMs = 600_000
let clock: FakeClock
let users: Users
let entries: AuditEvent[]
/** When each write was sent, in milliseconds since the request was permitted. */
let sends: number[]
/** What happens at the nth write, before it is applied. */
let atWrite: (n: number) => void
let atRead: () => void

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  const permittedMs = clock.now().wallMs
  const nowMs = () => clock.now().wallMs
  const seal = new RowSeal(Buffer.alloc(32, 1))
  const rows = new SealedRows({ seal, versions: new RowVersions(nowMs), nowMs, report: () => {} })
  const before = { createdAt: new Date(permittedMs - 1e9), createdBy: null, changedAt: null, changedBy: null }
  const rowOf = (username: string, subject: string | null) => {
    const passwordHash = subject === null ? 'x' : null
    const user = {
      username,
      subject,
      passwordHash,
      role: 'viewer',
      disabled: false,
      epoch: 'e',
      changeId: 'c',
    }
    const columns = userColumns({ ...before, ...user } as never)
    const { version, seal } = rows.next('users', columns)
    return { ...columns, seal, version: BigInt(version) }
  }
  const stored = [rowOf('eve', null), rowOf('sso-1', 'idp|1'), rowOf('sso-2', 'idp|1')]
  entries = []
  sends = []
  atWrite = () => {}
  atRead = () => {}
  const execute = async ({ cql }: { cql: string }, values: unknown[]) => {
    if (cql === 'changeUser' || cql === 'insertUser') {
      sends.push(clock.now().wallMs - permittedMs)
      atWrite(sends.length)
      const [role, disabled, , session_epoch, change_id, changed_at, changed_by, version, seal, name] = values
      const changed = { role, disabled, session_epoch, change_id, changed_at, changed_by, version, seal }
      const row = stored.find(({ username }) => cql === 'changeUser' && username === name)
      Object.assign(row ?? {}, changed)
      return { rows: [{ '[applied]': true }] }
    }
    atRead()
    return { rows: cql === 'listUsers' ? stored : stored.filter(({ username }) => values[0] === username) }
  }
  const statements = new Proxy({}, { get: (_, cql) => ({ cql }) })
  const session = { execute }
  users = new Users({ session, statements, rows, clock, timer: clock } as never)
})

function acts() {
  const append = async (event: AuditEvent) => void entries.push(event)
  const services = { users, audit: { append, appendUntilWritten: append }, clock } as never
  const actor = { username: 'mallory', role: 'admin', via: 'password', address: null, requestId: 'r' }
  return [services, { actor, permit: () => {}, window: new ActWindow(clock) } as never] as const
}
const ended = () => entries.map(({ phase, outcome }) => [phase, outcome])
const stop = () => clock.suspend(stoppedMs)

describe('a change whose answer was lost', () => {
  beforeEach(() => {
    atWrite = () => {
      throw new StatementUnknownError('the connection broke', 'never')
    }
  })

  it('is not sent again once it is late, and its outcome stays open for the recovery', async () => {
    const lose = atWrite
    atWrite = (n) => {
      stop()
      lose(n)
    }
    const changed = clock.run(changeUser(...acts(), 'eve', { role: 'admin' }))
    await expect(changed).rejects.toMatchObject({ code: 'statement-unknown' })
    expect(sends).toEqual([0])
    expect(ended()).toEqual([['intent', null]])
  })

  it('is sent again while there is time', async () => {
    const lose = atWrite
    atWrite = (n) => n === 1 && lose(n)
    expect(await clock.run(changeUser(...acts(), 'eve', { role: 'admin' }))).toMatchObject({ role: 'admin' })
    expect(sends).toEqual([0, 0])
    expect(ended().at(-1)).toEqual(['outcome', 'ok'])
  })
})

it.each([
  ['a change', () => clock.run(changeUser(...acts(), 'eve', { role: 'admin' }))],
  [
    'a new user',
    () => clock.run(createUser(...acts(), { username: 'new', password: 'a password', role: 'admin' })),
  ],
  ['a new password', () => clock.run(setPassword(...acts(), 'eve', 'a password'))],
])('%s is not sent at all when the process was stopped after its intent', async (_, act) => {
  atRead = () => entries.length > 0 && stop()
  await expect(act()).rejects.toMatchObject({ code: 'too-late', message: expect.stringMatching(/^Nothing/) })
  expect(sends).toEqual([])
  expect(ended()).toEqual([
    ['intent', null],
    ['outcome', 'too-late'],
  ])
})

it('who was disabled in time, and whose other account was not, is not said to be as before', async () => {
  atWrite = stop
  const disabled = clock.run(changeUser(...acts(), 'sso-1', { disabled: true }))
  await expect(disabled).rejects.toMatchObject({ code: 'statement-unknown' })
  expect(sends).toEqual([0])
  expect(ended()).toEqual([['intent', null]])
})
