/** What the pictures show: a console with the leases of a busy afternoon, and what people do to single ones of them. */
import { testCredentials } from '../../lib/leasehold/test/node-session.ts'
import { DemoLeases } from '../../scripts/pictures/demo-leases.mjs'
import { test as base } from '../console/console.ts'
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
