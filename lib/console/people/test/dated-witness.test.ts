/** An admin is removed while the row of another admin has a timestamp in the future: it gets no new version, and is no witness. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import { ActWindow } from '../../http/act-window.ts'
import { RowSeal } from '../../store/row-seal.ts'
import { RowVersions } from '../../store/row-versions.ts'
import { SealedRows } from '../../store/sealed-rows.ts'
import { changeUser } from '../user-acts.ts'
import { userColumns } from '../user-row.ts'
import { Users } from '../users.ts'

let clock: FakeClock
let entries: AuditEvent[]
/** Users whose rows stay as they are, although Cassandra answers that they were written. */
let dated: Set<string>

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  entries = []
  dated = new Set()
})

function usersOf(...names: string[]) {
  const nowMs = () => clock.now().wallMs
  const rows = new SealedRows({
    seal: new RowSeal(Buffer.alloc(32, 1)),
    versions: new RowVersions(nowMs),
    nowMs,
    report: () => {},
  })
  const rowOf = (username: string): Record<string, unknown> => {
    const columns = userColumns({
      ...{ username, role: 'admin', disabled: false, passwordHash: 'x', subject: null },
      ...{ epoch: 'e', changeId: 'c', createdAt: new Date(0), createdBy: null },
      ...{ changedAt: null, changedBy: null },
    })
    const { version, seal } = rows.next('users', columns)
    return { ...columns, seal, version: BigInt(version) }
  }
  const stored = names.map(rowOf)
  const write = (name: unknown, before: unknown, changed: Record<string, unknown>) => {
    const row = stored.find(({ username }) => username === name)
    const applied = row?.version === before
    if (applied && !dated.has(String(name))) Object.assign(row ?? {}, changed)
    return { rows: [{ '[applied]': applied }] }
  }
  const execute = async ({ cql }: { cql: string }, values: unknown[]) => {
    if (cql === 'renewUser') return write(values[2], values[3], { version: values[0], seal: values[1] })
    if (cql === 'changeUser') {
      const [role, disabled, , session_epoch, change_id, changed_at, changed_by, version, seal, name] = values
      const changed = { role, disabled, session_epoch, change_id, changed_at, changed_by, version, seal }
      return write(name, values.at(-1), changed)
    }
    return { rows: cql === 'listUsers' ? stored : stored.filter(({ username }) => values[0] === username) }
  }
  const statements = new Proxy({}, { get: (_, cql) => ({ cql }) })
  const users = new Users({ session: { execute }, statements, rows, clock, timer: clock } as never)
  const versionOf = (name: string) => stored.find(({ username }) => username === name)?.version
  return { users, versionOf }
}

function demote(users: Users, username: string) {
  const append = async (event: AuditEvent) => void entries.push(event)
  const services = { users, audit: { append, appendUntilWritten: append }, clock } as never
  const actor = { username: 'mallory', role: 'admin', via: 'password', address: null, requestId: 'r' }
  const by = { actor, permit: () => {}, window: new ActWindow(clock) } as never
  return clock.run(changeUser(services, by, username, { role: 'viewer' }))
}

it('the next admin is the witness, and gets a new version', async () => {
  const { users, versionOf } = usersOf('ann', 'bob', 'cat')
  dated.add('bob')
  const before = [versionOf('bob'), versionOf('cat')]
  expect(await demote(users, 'ann')).toMatchObject({ role: 'viewer' })
  expect(versionOf('bob')).toBe(before[0])
  expect(versionOf('cat')).toBeGreaterThan(Number(before[1]))
})

it('without another one the admin is not removed: the answer and the audit log say why', async () => {
  const { users } = usersOf('ann', 'bob')
  dated.add('bob')
  await expect(demote(users, 'ann')).rejects.toMatchObject({
    code: 'no-effect',
    message: expect.stringContaining('bob'),
  })
  expect(await users.find('ann')).toMatchObject({ role: 'admin' })
  expect(entries.map(({ phase, outcome, rows }) => [phase, outcome, rows])).toEqual([
    ['intent', null, undefined],
    ['outcome', 'no-effect', []],
  ])
})
