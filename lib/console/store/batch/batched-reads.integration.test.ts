/** Look-ups of tokens, sessions and users that share a statement, on a real Cassandra. */
import cassandra from 'cassandra-driver'
import { readTimeoutMs } from 'leasehold/cassandra'
import { type StatementFault, StatementProxy } from 'leasehold/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { testContactPoint } from '../../../leasehold/test/node-session.ts'
import { harmless } from '../../../leasehold/test/patient-sessions.ts'
import { openSession, type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

const width = 16
const ofSenders = /FROM \S+\.(api_tokens|sessions|users) WHERE/
const ofTokens = /FROM \S+\.api_tokens WHERE/
let keyspace: string
let proxy: StatementProxy
let console: TestConsole
/** Another instance on the same tables. */
let other: TestConsole
/** What `console` asks of tokens, sessions and users, one entry a statement. */
const asked: { table: string; isMany: boolean; consistency: number }[] = []
/** What becomes of the next read of a token. */
let next: StatementFault | undefined
/** Called when the node has answered a read of a token. */
let answered = () => {}

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  const [host = '', port = ''] = testContactPoint().split(':')
  proxy = await StatementProxy.listen(host, Number(port), {
    fault: ({ cql }) => {
      if (!ofTokens.test(cql)) return undefined
      const fault = next
      next = undefined
      return fault
    },
    answered: ({ cql }) => {
      if (ofTokens.test(cql)) answered()
    },
  })
  harmless(proxy.contactPoint)
  console = await testConsole(keyspace, { CASSANDRA_CONTACT_POINTS: proxy.contactPoint })
  other = await testConsole(keyspace)
  const { session } = console.context
  const execute = session.execute.bind(session)
  session.execute = (statement, params) => {
    const { cql, consistency } = statement
    const table = ofSenders.exec(cql)?.[1]
    if (table !== undefined) asked.push({ table, isMany: / IN \?$/.test(cql), consistency })
    return execute(statement, params)
  }
})
afterAll(async () => {
  await Promise.all([console?.context.session.close(), other?.context.session.close()])
  await proxy?.close()
})
beforeEach(() => {
  asked.length = 0
})

const { quorum } = cassandra.types.consistencies
const bearer = (token: string) => ({ cookie: '', origin: '', authorization: `Bearer ${token}` })
async function makeToken(name: string): Promise<{ id: string; token: string }> {
  return (await other.api('POST', '/v1/tokens', { name, prefixes: [''] })).body
}

it('looks sixteen programs up by one statement, each as what it is', async () => {
  const { apiTokens } = console.context
  const names = Array.from({ length: width }, (_, i) => `program-${i}`)
  const tokens = await Promise.all(names.map(async (name) => (await makeToken(name)).token))
  const unknown = `lh_0123456789abcdef_${'x'.repeat(43)}`
  asked.length = 0
  const found = await Promise.all([...tokens, unknown].map((token) => apiTokens.find(token)))
  expect(found.map((session) => session?.username)).toEqual([...names, undefined])
  expect(asked).toEqual([{ table: 'api_tokens', isMany: true, consistency: quorum }])

  // The same over the API, where requests come one after the other: those of one turn share a statement, and from four statements on they share the next.
  asked.length = 0
  const senders = Array.from({ length: 6 }, () => tokens).flat()
  const answers = await Promise.all(
    senders.map((token) => console.api('GET', '/v1/session', undefined, bearer(token))),
  )
  expect(answers.map(({ body }) => body.username)).toEqual(Array.from({ length: 6 }, () => names).flat())
  expect(asked.length).toBeLessThan(senders.length / 2)
})

it('looks one program up by the statement for one, at the same level', async () => {
  const { token } = await makeToken('alone')
  asked.length = 0
  expect(await console.context.apiTokens.find(token)).toMatchObject({ username: 'alone' })
  expect(asked).toEqual([{ table: 'api_tokens', isMany: false, consistency: quorum }])
})

it('looks sixteen sessions of two people up by one statement of sessions and one of users', async () => {
  const { sessions, users } = console.context
  const people = ['ann', 'bob']
  for (const username of people) await other.context.users.create(username, 'a long password', 'viewer')
  const whose = Array.from({ length: width }, (_, i) => people[i % 2] as string)
  const ids = await Promise.all(whose.map((username) => openSession(console.context, username)))
  asked.length = 0
  const found = await Promise.all(ids.map((id) => sessions.find(id)))
  expect(found.map((session) => session?.username)).toEqual(whose)
  expect(asked).toEqual(['sessions', 'users'].map((table) => ({ table, isMany: true, consistency: quorum })))
  asked.length = 0
  const [ann, bob, none] = await Promise.all([...people, 'none'].map((username) => users.find(username)))
  expect([ann?.username, bob?.username, none]).toEqual([...people, null])
  expect(asked).toHaveLength(1)
})

it('refuses a token that another instance revoked, while a read from before is under way', async () => {
  const scene = async () => {
    const { id, token } = await makeToken('revoked')
    const ask = () => console.api('GET', '/v1/session', undefined, bearer(token))
    const read = new Promise<void>((resolve) => {
      answered = resolve
    })
    next = { kind: 'hold-answer', ms: 2_000 }
    let isHeld = true
    const askedMs = performance.now()
    const before = ask().finally(() => {
      isHeld = false
    })
    await read
    // Without the entries in the audit log, which a busy machine takes longer to write than the answer is held.
    await other.context.apiTokens.revoke({ id, name: 'revoked' })
    const after = await Promise.all([ask(), ask(), ask()])
    expect(after.map(({ status }) => status)).toEqual([401, 401, 401])
    const wasHeld = isHeld
    const { status } = await before
    // Too slow proves nothing: the revocation took as long, or the first read was given up.
    if (!wasHeld || performance.now() - askedMs >= readTimeoutMs) return 'too slow'
    return status
  }
  let found = await scene()
  for (let again = 0; again < 20 && found === 'too slow'; again++) found = await scene()
  // Its row is the one from before.
  expect(found).toBe(200)
})

it('fails only the key that Cassandra refuses', async () => {
  const { users } = console.context
  const refused = 'x'.repeat(70_000)
  const found = await Promise.allSettled(['admin', refused, 'none'].map((username) => users.find(username)))
  expect(found).toMatchObject([
    { status: 'fulfilled', value: { username: 'admin' } },
    { status: 'rejected', reason: { code: 'store-refused' } },
    { status: 'fulfilled', value: null },
  ])
  expect(asked.map(({ isMany }) => isMany)).toEqual([true, false, false, false])
})

it('reads at SERIAL one by one: Cassandra allows no IN there', async () => {
  const { users, session } = console.context
  const found = await Promise.all(['admin', 'ann'].map((username) => users.confirmed(username)))
  expect(found.map((user) => user?.username)).toEqual(['admin', 'ann'])
  const serial = cassandra.types.consistencies[session.serial === 'SERIAL' ? 'serial' : 'localSerial']
  expect(asked).toEqual([1, 2].map(() => ({ table: 'users', isMany: false, consistency: serial })))
})
