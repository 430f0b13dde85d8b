/** What the pictures show: a console with the leases of a busy afternoon, and what people do to single ones of them. */
import { encodeSegment } from '../../lib/contract/path.ts'
import { testCredentials } from '../../lib/leasehold/test/node-session.ts'
import { DemoLeases } from '../../scripts/pictures/demo-leases.mjs'
import { test as base, expect } from '../console/console.ts'
import { admin, driver, type RunningConsole, testContactPoint } from '../console/running-console.ts'

/** `demo`: its leases are made before the first test of a worker, and renewed until the last. */
export const test = base.extend<object, { demo: DemoLeases }>({
  demo: [
    async ({ plain }, use) => {
      const { username = '', password = '' } = testCredentials()
      const contactPoints = [testContactPoint()]
      const { keyspace, url } = plain
      const demo = new DemoLeases(url, admin.password, {
        contactPoints,
        keyspace,
        username,
        password,
      })
      await demo.begin()
      await use(demo)
      await demo.end()
    },
    { scope: 'worker', auto: true },
  ],
})

/** A forced release by admin. @returns its id */
export async function act(
  { api }: RunningConsole,
  name: string,
  mode: 'ask' | 'break' | 'kill',
  reason: string,
): Promise<string> {
  const path = `/v1/leases/${encodeSegment(name)}`
  const { body } = await api('POST', `${path}/release-plan`, {})
  const sent = { plan: body.plan, mode, reason, confirmName: name }
  const { status } = await api('POST', `${path}/release`, sent)
  if (status !== 200 && status !== 202) throw new Error(`${name}, ${mode}: ${status}`)
  // After two seconds the answer is 202, and the release goes on.
  const outcome = async () => (await api('GET', `/v1/releases/${body.id}`)).body.outcome
  await expect.poll(outcome).toMatch(/^(asked|broken|released)$/)
  return body.id
}

/** CQL of another program; `leases` is the console's table. */
export async function cql({ keyspace }: RunningConsole, ...statements: string[]): Promise<void> {
  const client = await driver()
  try {
    for (const statement of statements)
      await client.execute(statement.replace(' leases', ` ${keyspace}.leases`))
  } finally {
    await client.shutdown()
  }
}

/** Renews a lease every few seconds, as a program does that reads no requests. @returns ends it */
export function keepRenewing(
  { hold }: RunningConsole,
  name: string,
  lock: { owner: string; ttlSeconds: number; value?: string },
): () => void {
  const timer = setInterval(() => hold(name, lock).catch(() => {}), 4000)
  return () => clearInterval(timer)
}
