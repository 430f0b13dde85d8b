import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CassandraSession } from '../../leasehold/cassandra/session/session.ts'
import { testSession, testVariant } from '../../leasehold/test/node-session.ts'
import { type TestConsole, testConsole } from './test-console.ts'
import { emptiedKeyspace } from './test-keyspace.ts'

/** Paxos v1 has no ballots for reads: a SERIAL read takes one for writes, which is why it pre-empts renewals. */
const promised = testVariant === 'v1' ? /Promising ballot (\S+)/ : /Promising read ballot (\S+)/
let console: TestConsole
/** The console's role cannot read traces. */
let outside: CassandraSession
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

beforeAll(async () => {
  const keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
  outside = await testSession(keyspace)
})
afterAll(async () => {
  await outside?.close()
  await console?.context.session.close()
})

it('gives each row of a page a Paxos ballot of its own', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `traced/${i}`)
  await Promise.all(
    names.map((name) => console.api('PUT', `/v1/locks/${encodeURIComponent(name)}`, { ttlSeconds: 600 })),
  )

  const { reader: client } = console.context.session
  type Execute = (...args: unknown[]) => Promise<{ info: { traceId: string } }>
  const execute = client.execute.bind(client) as unknown as Execute
  const traced: { cql: string; name: unknown; traceId: string }[] = []
  client.execute = (async (cql: string, params: unknown[], options: object) => {
    const result = await execute(cql, params, { ...options, traceQuery: true })
    traced.push({ cql, name: params[0], traceId: result.info.traceId })
    return result
  }) as unknown as typeof client.execute
  const page = await console.api('GET', '/v1/leases?prefix=traced/&limit=10')
  const scanned = () => traced.find(({ cql }) => cql.includes('token('))
  await expect.poll(scanned).toBeDefined()
  client.execute = execute as unknown as typeof client.execute

  expect(page.body.leases).toHaveLength(10)
  const ballots = new Set<string>()
  for (const lease of page.body.leases) {
    const reads = traced.filter(
      ({ cql, name }) => name === lease.name && cql.startsWith('SELECT') && cql.includes('"leases"'),
    )
    expect(
      reads.map(({ cql }) => cql),
      lease.name,
    ).toHaveLength(1)
    let activities: string[] = []
    const ballot = () =>
      activities.map((activity) => promised.exec(activity)?.[1]).find((found) => found !== undefined)
    // The lines of a trace are written one by one, behind the answer.
    for (const endMs = performance.now() + 30_000; ; await pause(200)) {
      activities = await activitiesOf(reads[0]?.traceId as string)
      if (ballot() !== undefined || performance.now() >= endMs) break
    }
    expect(ballot(), `${lease.name}: ${activities.join('; ')}`).toBeDefined()
    ballots.add(ballot() as string)
  }
  expect(ballots.size).toBe(10)
  // The scan is a quorum read and no more: a ballot there would be a lie about what SERIAL does on a scan.
  expect((await activitiesOf(scanned()?.traceId as string)).join('; ')).not.toContain('ballot')
})

/** Traces are written behind the answer. */
async function activitiesOf(traceId: string): Promise<string[]> {
  const { client } = outside
  const getTrace = async () =>
    (await client.metadata.getTrace(traceId as never, 1)).events.map((event) =>
      String((event as { activity: string }).activity),
    )
  for (let tries = 0; ; tries++) {
    const found = await getTrace().catch(() => [])
    if (found.length > 2 || tries === 50) return found
    await pause(100)
  }
}
