/** Rows of releases that the role which the console writes with has made, or put back. */
import type { CassandraSession } from 'leasehold/cassandra'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testConnect, testContactPoint } from '../../../leasehold/test/node-session.ts'
import { ActWindow } from '../../http/act-window.ts'
import { cookieOf, password, settledRelease, type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

let keyspace: string
const config = {
  LEASEHOLD_CONFIG: JSON.stringify({ secondPersonFor: ['billing/'], secondPersonAfterHours: 0 }),
}
let console_: TestConsole
let second: string
let writer: CassandraSession

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console_ = await testConsole(keyspace, config)
  await console_.context.users.create('bea', password, 'admin')
  const signedIn = await console_.api('POST', '/v1/session', { username: 'bea', password }, { cookie: '' })
  const cookie = cookieOf(signedIn)
  second = cookieOf(await console_.api('POST', '/v1/session/elevation', { password }, { cookie }))
  const { username, password: secret } = console_.context.config.cassandra
  const signIn = username === undefined ? {} : { username, password: secret as string }
  const at = { contactPoints: [testContactPoint()], localDataCenter: 'datacenter1', keyspace }
  writer = await testConnect({ ...at, ...signIn })
})
afterAll(async () => {
  await writer?.close()
  await console_?.context.session.close()
})

const table = () => `"${keyspace}".releases`
const cql = (statement: string, values: unknown[] = []) =>
  writer.client.execute(statement, values, { prepare: true })
const rowOf = async (id: string) =>
  (await cql(`SELECT * FROM ${table()} WHERE id = ?`, [id])).rows[0] as never
async function put(row: Record<string, unknown>) {
  const columns = Object.keys(row)
  await cql(
    `INSERT INTO ${table()} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    Object.values(row),
  )
}
const named = (name: string) => `/v1/leases/${encodeURIComponent(name)}`
const hold = (name: string) =>
  console_.api('PUT', `/v1/locks/${encodeURIComponent(name)}`, { owner: 'holder', ttlSeconds: 120 })
const held = async (name: string) =>
  (await console_.api('GET', `/v1/locks/${encodeURIComponent(name)}`)).body.owner as string
const plan = async (name: string) => (await console_.api('POST', `${named(name)}/release-plan`, {})).body
const use = (name: string, signed: string) => {
  const body = { plan: signed, mode: 'kill', reason: 'test', confirmName: name }
  return settledRelease(console_, console_.api('POST', `${named(name)}/release`, body))
}
const approve = (id: string) =>
  settledRelease(console_, console_.api('POST', `/v1/releases/${id}/approval`, {}, { cookie: second }))

async function requested(name: string) {
  await hold(name)
  const made = await plan(name)
  const asked = await use(name, made.plan)
  expect([asked.status, asked.body.outcome]).toEqual([202, 'awaiting-approval'])
  return asked.body.id as string
}

it('a forged request cannot be approved by one person alone', async () => {
  const id = await requested('billing/forged')
  const row: Record<string, unknown> = { ...((await rowOf(id)) as object) }
  await put({ ...row, id: 'invented-id1', requested_by: 'anna', requested_at: new Date() })
  const forged = await approve('invented-id1')
  expect(forged.status).toBe(404)
  // Of a real one: another holder, another mode, another requester.
  await put({ ...row, requested_by: 'bea' })
  expect((await approve(id)).status).toBe(404)
  expect(await held('billing/forged')).toBe('holder')
  // As it was: it counts again.
  await put(row)
  expect((await approve(id)).body.outcome).toBe('released')
})

it('a forged plan cannot be used', async () => {
  await hold('plain/forged')
  const made = await plan('plain/forged')
  const row: Record<string, unknown> = { ...((await rowOf(made.id)) as object) }
  const text = JSON.stringify({ ...JSON.parse(row.plan as string), expiresAtMs: Date.now() + 3_600_000 })
  await put({ ...row, plan: text })
  expect((await use('plain/forged', made.plan)).body.code).toBe('plan-invalid')
  expect(await held('plain/forged')).toBe('holder')
})

it('a request that was decided cannot be put back and approved again', async () => {
  const id = await requested('billing/again')
  const before = await rowOf(id)
  expect((await approve(id)).body.outcome).toBe('released')
  await hold('billing/again')
  await put(before)
  expect((await approve(id)).status).toBe(404)
  expect(await held('billing/again')).toBe('holder')
  expect((await console_.api('GET', '/v1/releases')).body.releases).toEqual([])
})

it('a decision moves the request that was read, not one that was made again from a plan that was put back', async () => {
  await hold('billing/twins')
  const made = await plan('billing/twins')
  const before = await rowOf(made.id)
  expect((await use('billing/twins', made.plan)).status).toBe(202)
  const { releases } = console_.context
  const checked = await releases.read(made.id)
  await put(before)
  await cql(`DELETE mode, reason, requested_by, requested_at FROM ${table()} WHERE id = ?`, [made.id])
  expect((await use('billing/twins', made.plan)).status).toBe(202)
  const sender = {
    session: { username: 'bea', role: 'admin', via: 'password' },
    address: null,
    requestId: '',
    window: new ActWindow(console_.context.clock),
  }
  await expect(releases.reject(checked as never, 'no', sender as never)).rejects.toThrow('waits for a second')
  expect((await releases.read(made.id))?.state).toBe('awaiting-approval')
})

it('a plan that was used cannot be put back and used again', async () => {
  await hold('plain/again')
  const made = await plan('plain/again')
  const before = await rowOf(made.id)
  expect((await use('plain/again', made.plan)).body.outcome).toBe('released')
  await hold('plain/again')
  await put(before)
  expect((await use('plain/again', made.plan)).body.code).toBe('plan-invalid')
  expect(await held('plain/again')).toBe('holder')
})

it('another instance, and one that starts later, refuse a row that was put back too', async () => {
  const other = await testConsole(keyspace, config)
  try {
    const id = await requested('billing/elsewhere')
    const before = await rowOf(id)
    const { cookie } = console_
    const no = await console_.api('POST', `/v1/releases/${id}/rejection`, { reason: 'no' }, { cookie })
    expect(no.status).toBe(200)
    // Other instances know of it by its entry, for which the answer waits 2 s at most.
    await expect.poll(() => console_.context.audit.pending).toEqual([])
    await put(before)
    const path = `/v1/releases/${id}/approval`
    expect((await other.api('POST', path, {}, { cookie: second })).status).toBe(404)
    const late = await testConsole(keyspace, config)
    expect((await late.api('POST', path, {}, { cookie: second })).status).toBe(404)
    await late.context.session.close()
    expect(await held('billing/elsewhere')).toBe('holder')
  } finally {
    await other.context.session.close()
  }
})
