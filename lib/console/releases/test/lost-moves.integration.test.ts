/** Releases that wait for a second person, when a request comes twice, or Cassandra loses a write. */
import { StatementProxy } from 'leasehold/testing'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { harmless } from '../../../leasehold/test/patient-sessions.ts'
import { cookieOf, password, settledRelease, type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'
import { approvalFollowUp, rejectionFollowUp } from '../acts/follow-up.ts'

let keyspace: string
const config = {
  LEASEHOLD_CONFIG: JSON.stringify({ secondPersonFor: ['billing/'], secondPersonAfterHours: 0 }),
}
let proxy: StatementProxy
let console_: TestConsole
let second: string
/** Texts of statements that do not reach Cassandra, and of those whose answer is lost. */
let lost: RegExp[] = []
let unanswered: RegExp[] = []

const moves = /^UPDATE \S+\.releases SET/
const reads = /^SELECT .* FROM \S+\.releases WHERE/
const lists = /^INSERT INTO \S+\.awaiting_releases/

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  const [host = '', port = ''] = (process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '').split(':')
  proxy = await StatementProxy.listen(host, Number(port), {
    fault: ({ cql }) => {
      if (lost.some((text) => text.test(cql))) return { kind: 'time-out', arrives: false }
      if (!unanswered.some((text) => text.test(cql))) return undefined
      lost = [reads, moves]
      return { kind: 'time-out', arrives: true }
    },
  })
  harmless(proxy.contactPoint)
  console_ = await testConsole(keyspace, { ...config, CASSANDRA_CONTACT_POINTS: proxy.contactPoint })
  await console_.context.users.create('bea', password, 'admin')
  const signedIn = await console_.api('POST', '/v1/session', { username: 'bea', password }, { cookie: '' })
  const cookie = cookieOf(signedIn)
  second = cookieOf(await console_.api('POST', '/v1/session/elevation', { password }, { cookie }))
})
afterEach(() => {
  lost = []
  unanswered = []
})
afterAll(async () => {
  await console_?.context.session.close()
  await proxy?.close()
})

async function planned(name: string): Promise<string> {
  await console_.api('PUT', `/v1/locks/${encodeURIComponent(name)}`, { owner: 'holder', ttlSeconds: 120 })
  return (await console_.api('POST', `/v1/leases/${encodeURIComponent(name)}/release-plan`, {})).body.plan
}
const use = (name: string, plan: string) => {
  const body = { plan, mode: 'kill', reason: 'test', confirmName: name }
  return settledRelease(
    console_,
    console_.api('POST', `/v1/leases/${encodeURIComponent(name)}/release`, body),
  )
}
const approve = (id: string) =>
  settledRelease(console_, console_.api('POST', `/v1/releases/${id}/approval`, {}, { cookie: second }))
const reject = (id: string) => console_.api('POST', `/v1/releases/${id}/rejection`, { reason: 'no' })
const problemOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const listed = async () =>
  (await console_.api('GET', '/v1/releases')).body.releases.map(({ id }: { id: string }) => id)
const entriesOf = async (name: string, of: string) => {
  const { entries } = await console_.context.audit.page({ name, limit: 100 })
  return entries.filter(({ act }) => act === of).map(({ phase, outcome }) => [phase, outcome])
}
async function requested(name: string): Promise<string> {
  const plan = await planned(name)
  expect((await use(name, plan)).body.outcome).toBe('awaiting-approval')
  return plan
}

it('the same request again is answered plan-used, and changes nothing', async () => {
  const id = await requested('billing/twice')
  for (let again = 0; again < 2; again++) {
    const { status, body } = await use('billing/twice', id)
    expect([status, body.code, body.release?.outcome]).toEqual([409, 'plan-used', 'awaiting-approval'])
  }
  await expect
    .poll(() => entriesOf('billing/twice', 'release-request'))
    .toEqual([
      ['outcome', 'ok'],
      ['intent', null],
    ])
  expect(await listed()).toContain(id)
  expect((await approve(id)).body.outcome).toBe('released')
  expect((await use('billing/twice', id)).body.release.outcome).toBe('released')
})

it('of requests at the same time one waits, and can be approved', async () => {
  for (let round = 0; round < 5; round++) {
    const name = `billing/race/${round}`
    const plan = await planned(name)
    const answers = await Promise.all([1, 2, 3].map(() => use(name, plan)))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    expect(await listed()).toContain(plan)
    expect((await approve(plan)).body.outcome).toBe('released')
  }
})

it('a request that Cassandra lost can be made again', async () => {
  const plan = await planned('billing/request')
  lost = [moves]
  expect(problemOf(await use('billing/request', plan))).toEqual([503, 'outcome-unknown'])
  lost = []
  expect(await listed()).not.toContain(plan)
  expect((await use('billing/request', plan)).body.outcome).toBe('awaiting-approval')
  expect(await listed()).toContain(plan)
  expect((await approve(plan)).body.outcome).toBe('released')
})

it('a request that could not be listed fails, and does not wait unseen', async () => {
  const plan = await planned('billing/list')
  lost = [lists]
  expect(problemOf(await use('billing/list', plan))).toEqual([503, 'cassandra-unavailable'])
  lost = []
  expect((await use('billing/list', plan)).body.outcome).toBe('awaiting-approval')
  expect(await listed()).toContain(plan)
})

it('an approval that Cassandra lost can be given again', async () => {
  const id = await requested('billing/approval')
  lost = [moves]
  expect(problemOf(await approve(id))).toEqual([503, 'outcome-unknown'])
  lost = []
  expect(await listed()).toContain(id)
  expect(await entriesOf('billing/approval', 'approval')).toEqual([['intent', null]])
  expect((await approve(id)).body.outcome).toBe('released')
  const [open] = (await console_.context.audit.openIntents()).filter(({ act }) => act === 'approval')
  const found = await approvalFollowUp(console_.context)(open as never, { early: false })
  expect(found?.outcome).toBe('not-done')
})

it('of requests at the same time the audit log has one that waits', async () => {
  const plan = await planned('billing/requests')
  await Promise.all([1, 2].map(() => use('billing/requests', plan)))
  const outcomes = async () =>
    (await entriesOf('billing/requests', 'release-request')).flatMap(([, outcome]) => outcome ?? []).sort()
  await expect.poll(outcomes).toEqual(['ok', 'refused'])
})

it('a rejection that Cassandra lost can be given again, and is not reported as done before', async () => {
  const id = await requested('billing/rejection')
  lost = [moves]
  expect(problemOf(await reject(id))).toEqual([503, 'outcome-unknown'])
  lost = []
  expect(await entriesOf('billing/rejection', 'rejection')).toEqual([['intent', null]])
  expect(await listed()).toContain(id)
  expect((await reject(id)).body.outcome).toBe('rejected')
  await expect
    .poll(async () => (await entriesOf('billing/rejection', 'rejection'))[0])
    .toEqual(['outcome', 'ok'])
})

it('the outcome of an unanswered rejection is found by the retry and by the recovery', async () => {
  const id = await requested('billing/unknown')
  unanswered = [moves]
  expect(problemOf(await reject(id))).toEqual([503, 'outcome-unknown'])
  lost = []
  unanswered = []
  const { body } = await approve(id)
  expect([body.code, body.release.outcome]).toEqual(['not-awaiting', 'rejected'])
  const open = await console_.context.audit.openIntents()
  const intent = open.find(
    ({ act, on }) => act === 'rejection' && 'name' in on && on.name === 'billing/unknown',
  )
  const found = await rejectionFollowUp(console_.context)(intent as never, { early: false })
  expect(found).toMatchObject({ outcome: 'ok', rows: [{ table: 'releases', key: id, version: 3 }] })
})
