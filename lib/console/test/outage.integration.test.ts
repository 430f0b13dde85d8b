import { FaultProxy } from 'leasehold/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { problemSchema } from '../../contract/problem.ts'
import { harmless } from '../../leasehold/test/patient-sessions.ts'
import { type TestConsole, testConsole } from './test-console.ts'
import { emptiedKeyspace } from './test-keyspace.ts'

const contactPoint = (process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '').split(':') as [string, string]
let proxy: FaultProxy
let console: TestConsole

beforeAll(async () => {
  proxy = await FaultProxy.listen(contactPoint[0], Number(contactPoint[1]))
  const end = harmless(proxy.contactPoint)
  console = await testConsole(await emptiedKeyspace(), { CASSANDRA_CONTACT_POINTS: proxy.contactPoint })
  const held = { owner: 'holder', ttlSeconds: 600 }
  await vi.waitFor(
    async () => expect((await console.api('PUT', '/v1/locks/kept', held)).status).toBeOneOf([200, 201]),
    60_000,
  )
  end()
})
afterAll(async () => {
  await console?.context.session.close()
  await proxy?.close()
})

const requests: [string, string, unknown?][] = [
  ['GET', '/v1/leases'],
  ['GET', '/v1/leases/kept'],
  ['GET', '/v1/locks/kept'],
  ['GET', '/v1/cluster'],
  ['GET', '/readyz'],
  ['PUT', '/v1/locks/another', {}],
  ['DELETE', '/v1/locks/kept?owner=x'],
  ['POST', '/v1/leases/kept/release-plan', {}],
  ['POST', '/v1/session', { username: 'admin', password: 'whatever it is' }],
]

async function recovers(): Promise<void> {
  const until = Date.now() + 120_000
  while ((await console.api('GET', '/v1/leases/kept')).status !== 200)
    if (Date.now() > until) throw new Error('did not recover')
    else await new Promise((resolve) => setTimeout(resolve, 200))
}

it.each([
  ['cannot be reached', () => proxy.refuse()],
  ['accepts and never answers', () => proxy.holdAnswers()],
])(
  'answers 503 with Retry-After, never 500, while Cassandra %s; and recovers by itself',
  async (_how, breakIt) => {
    breakIt()
    const answers = await Promise.all(requests.map(([method, path, body]) => console.api(method, path, body)))
    for (const [i, answer] of answers.entries()) {
      expect([requests[i], answer.status]).toEqual([requests[i], 503])
      expect(answer.headers.get('retry-after')).toBe('2')
      expect(['cassandra-unavailable', 'outcome-unknown']).toContain(problemSchema.parse(answer.body).code)
    }
    expect((await console.api('GET', '/healthz')).status).toBe(200)
    proxy.cut()
    proxy.restore()
    await recovers()
  },
)

it('a console that starts while Cassandra does not answer in time starts once it does', async () => {
  const slow = await FaultProxy.listen(contactPoint[0], Number(contactPoint[1]))
  slow.holdAnswers()
  let failed: unknown
  const starting = testConsole(await emptiedKeyspace(), { CASSANDRA_CONTACT_POINTS: slow.contactPoint })
  starting.catch((thrown) => {
    failed = thrown
  })
  // Longer than the driver waits for a connection.
  await new Promise((resolve) => setTimeout(resolve, 15_000))
  expect(failed).toBeUndefined()
  slow.deliverAnswers()
  const { context } = await starting
  await context.session.close()
  await slow.close()
})
