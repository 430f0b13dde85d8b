/** Cassandra is silent after the first statement of an act was applied: no answer says that nothing was done. */
import { hash } from '@node-rs/argon2'
import { StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { Session } from '../../../contract/people/session.ts'
import { ActWindow } from '../../http/act-window.ts'
import type { Reply } from '../../http/handler.ts'
import { log } from '../../http/log/log.ts'
import { sessionIdIn } from '../../http/request/cookie.ts'
import { RowSeal } from '../../store/row-seal.ts'
import { RowVersions } from '../../store/row-versions.ts'
import { SealedRows } from '../../store/sealed-rows.ts'
import { userCells } from '../people-statements.ts'
import { changeOwnPassword, elevate, setUp, signIn, signOut } from '../sessions/session-handlers.ts'
import { Sessions } from '../sessions/sessions.ts'
import { finishSso } from '../sso/sso-handlers.ts'
import { changeUser } from '../user-acts.ts'
import { userColumns } from '../user-row.ts'
import { Users } from '../users.ts'

type Row = Record<string, unknown>

const password = 'a long password'
const publicUrl = new URL('http://localhost:3000')
const sessionCells =
  'username created_at session_epoch via address ends_at used_at elevated_until elevated_under version seal'.split(
    ' ',
  )
const subject = 'https://idp.example 1'
let passwordHash: string
let clock: FakeClock
let sessions: Sessions
let services: never
let people: Map<string, Row>
let opened: Map<string, Row>
/** Once `after` was applied, no node answers the statements `of`. */
let silence: { after: string; of: string } | null
let isSilent: boolean
let entries: AuditEvent[]

beforeAll(async () => {
  passwordHash = await hash(password)
})

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  const nowMs = () => clock.now().wallMs
  const versions = new RowVersions(nowMs)
  const seal = new RowSeal(Buffer.alloc(32, 1))
  const rows = new SealedRows({ seal, versions, nowMs, report: () => {} })
  people = new Map()
  for (const [username, who] of [
    ['ann', { passwordHash, subject: null }],
    ['sso-1', { passwordHash: null, subject }],
    ['sso-2', { passwordHash: null, subject }],
  ] as const) {
    const rights = { role: 'operator', disabled: false, epoch: 'e', changeId: 'c' } as const
    const dates = { createdAt: new Date(nowMs() - 1e9 + people.size), changedAt: null, changedBy: null }
    const columns = userColumns({ username, createdBy: null, ...rights, ...dates, ...who })
    people.set(username, { ...columns, ...rows.next('users', columns) })
  }
  opened = new Map()
  silence = null
  isSilent = false
  entries = []
  const statements = new Proxy({}, { get: (_, cql) => ({ cql }) })
  const shared = { session: { execute }, statements, rows, clock, timer: clock }
  const users = new Users(shared as never)
  sessions = new Sessions({ ...shared, users, log } as never)
  const append = async (event: AuditEvent) => void entries.push(event)
  const flow = { state: 's', elevate: false, next: '/' }
  services = {
    users,
    sessions,
    clock,
    log,
    audit: { append, appendUntilWritten: append },
    config: { publicUrl },
    devices: { find: async () => null, cookie: async () => 'device=1' },
    attempts: {
      judge: (_: unknown, work: (asker: object) => unknown) => work({ known: true, key: 'ann' }),
      begin: () => ({ succeeded: () => {}, withdraw: () => {} }),
    },
    setupLink: { accepts: async () => true },
    sso: {
      config: { roleClaim: 'role', nameClaim: null },
      flows: { find: () => flow, take: () => flow, ended: () => 'flow=' },
      provider: {
        claims: async () => ({
          iss: 'https://idp.example',
          sub: '1',
          preferred_username: 'sso-1',
          role: 'operator',
        }),
      },
    },
  } as never
})

async function execute({ cql }: { cql: string }, values: unknown[]): Promise<{ rows: Row[] }> {
  if (isSilent && cql === silence?.of) throw new StoreUnavailableError('No node answers.')
  const rows = applied(cql, values)
  isSilent ||= cql === silence?.after
  return { rows }
}

function applied(cql: string, values: unknown[]): Row[] {
  const [key] = values as [string]
  const found = (row: Row | undefined) => (row === undefined ? [] : [row])
  switch (cql) {
    case 'listUsers':
      return [...people.values()]
    case 'readUser':
    case 'confirmUser':
      return found(people.get(key))
    case 'insertUser': {
      const row = Object.fromEntries(userCells.map((cell, i) => [cell, values[i + 1]]))
      people.set(key, { username: key, ...row })
      return [{ '[applied]': true }]
    }
    case 'changeUser': {
      const [role, disabled, password_hash, session_epoch, change_id, changed_at, changed_by] = values
      const [version, seal, username] = values.slice(7) as [bigint, string, string]
      const rights = { role, disabled, password_hash, session_epoch, change_id, changed_at, changed_by }
      people.set(username, { ...people.get(username), ...rights, version, seal })
      return [{ '[applied]': true }]
    }
    case 'readSession':
      return found(opened.get(key))
    case 'insertSession':
      opened.set(key, Object.fromEntries(sessionCells.map((cell, i) => [cell, values[i + 1]])))
      return [{ '[applied]': true }]
    case 'deleteSession':
      return [{ '[applied]': opened.delete(key) }]
    default:
      throw new Error(`${cql} is not known here.`)
  }
}

const cookieOf = ({ cookies = [] }: Reply) => cookies.find((cookie) => /^leasehold-3000=/.test(cookie)) ?? ''
const idIn = (reply: Reply) => sessionIdIn(cookieOf(reply).split(';')[0] ?? '', publicUrl)

/** A request of the session with this id. */
async function request(
  handle: (input: never, services: never) => Promise<Reply>,
  sessionId: string | null,
  more: object = {},
): Promise<Reply> {
  const session = sessionId === null ? null : await clock.run(sessions.find(sessionId))
  const from = { address: null, requestId: 'r', cookieHeader: null, window: new ActWindow(clock) }
  return clock.run(handle({ ...from, sessionId, session, query: {}, body: {}, ...more } as never, services))
}
const signedIn = () => request(signIn, null, { body: { username: 'ann', password } })
const known = async (reply: Reply): Promise<Session | null> => {
  isSilent = false
  silence = null
  return clock.run(sessions.find(idIn(reply) ?? ''))
}
const told = () => entries.map(({ act, phase, outcome }) => `${act} ${phase} ${outcome}`)

it('a sign-in is answered with its session, without another statement', async () => {
  silence = { after: 'insertSession', of: 'readSession' }
  const reply = await signedIn()
  expect(reply).toMatchObject({ status: 200, body: { username: 'ann', role: 'operator', via: 'password' } })
  const { now: _, ...session } = reply.body as Session & { now: string }
  expect(await known(reply)).toEqual(session)
  expect(told()).toEqual(['sign-in event ok'])
})

it('an elevation is answered with its session: the one before has ended', async () => {
  const id = idIn(await signedIn())
  silence = { after: 'deleteSession', of: 'readSession' }
  const reply = await request(elevate, id, { body: { password } })
  expect(reply).toMatchObject({ status: 200, body: { elevatedUntil: '2026-11-21T12:10:00.000Z' } })
  const { now: _, ...session } = reply.body as Session & { now: string }
  expect(await known(reply)).toEqual(session)
  expect(told().slice(1)).toEqual(['elevation intent null', 'elevation outcome ok'])
})

it('a single sign-on leads on, with the cookie of its session', async () => {
  silence = { after: 'insertSession', of: 'readSession' }
  const reply = await request(finishSso, null)
  expect(reply).toMatchObject({ status: 302, headers: { Location: '/' } })
  expect(await known(reply)).toMatchObject({ username: 'sso-1', via: 'sso' })
})

it('a new own password was set, also when no session could be opened under it', async () => {
  const id = idIn(await signedIn())
  silence = { after: 'changeUser', of: 'insertSession' }
  const body = { current: password, password: 'another long password' }
  await expect(request(changeOwnPassword, id, { body })).rejects.toMatchObject({
    code: 'statement-unknown',
    message: expect.stringMatching(/^The password was changed, and all your sessions have ended/),
  })
  expect(told().slice(1)).toEqual(['password intent null', 'password outcome ok'])
})

it('the first password was set, also when no session could be opened under it', async () => {
  silence = { after: 'insertUser', of: 'insertSession' }
  await expect(request(setUp, null, { body: { token: 't', password } })).rejects.toMatchObject({
    code: 'statement-unknown',
    message: expect.stringMatching(/^The password of admin was set/),
  })
  expect(told()).toEqual(['set-up intent null', 'set-up outcome ok'])
})

it('a sign-out everywhere has ended this session too, whose row could not be deleted', async () => {
  const id = idIn(await signedIn())
  silence = { after: 'changeUser', of: 'deleteSession' }
  const reply = await request(signOut, id, { query: { everywhere: 'true' } })
  expect(reply).toMatchObject({ status: 204 })
  expect(opened.size).toBe(1)
  expect(await clock.run(sessions.find(id ?? ''))).toBeNull()
  expect(told().slice(1)).toEqual(['sign-out intent null', 'sign-out outcome ok'])
  const rows = entries.at(-1)?.rows ?? []
  expect(rows.map(({ table, version }) => [table, version === null])).toEqual([
    ['users', false],
    ['sessions', true],
  ])
})

it.each(['listUsers', 'changeUser'])(
  'a person who was disabled is, whether or not the other account is: %s',
  async (of) => {
    silence = { after: 'changeUser', of }
    const actor = { username: 'mallory', role: 'admin', via: 'password', address: null, requestId: 'r' }
    const by = { actor, permit: () => {}, window: new ActWindow(clock) } as never
    await expect(clock.run(changeUser(services, by, 'sso-1', { disabled: true }))).rejects.toMatchObject({
      code: 'statement-unknown',
      message: expect.stringMatching(/^sso-1 is disabled/),
    })
    expect(people.get('sso-1')).toMatchObject({ disabled: true })
    // Open for the recovery, which finds out.
    expect(told()).toEqual(['user-change intent null'])
  },
)
