/**
 * What a worker keeps for all of its files: a console, and one with single sign-on, each from the first test that asks for
 * it. All tests come from here: for another set of such fixtures Playwright starts another worker, with another browser.
 */
import { test } from '@playwright/test'
import { driver, patiently, type RunningConsole, startConsole } from './running-console.ts'
import { type SsoProvider, startProvider } from './sso-provider.ts'

/** Names that begin so need two people. */
const twoPeople = JSON.stringify({ secondPersonFor: ['two/'], secondPersonAfterHours: 0 })

interface Workers {
  plain: RunningConsole
  singleSignOn: { provider: SsoProvider; running: RunningConsole }
}

export const workers = test.extend<object, Workers>({
  plain: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const running = await startConsole({ env: { LEASEHOLD_CONFIG: twoPeople } })
      await use(running)
      await running.stop()
    },
    { scope: 'worker' },
  ],
  singleSignOn: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const provider = await startProvider()
      // The provider does not serve yet: that must not stop the console's start.
      const running = await startConsole({ env: provider.env })
      await provider.serve(running.url)
      await use({ provider, running })
      await running.stop()
      await provider.stop()
    },
    { scope: 'worker' },
  ],
})

/** What earlier files left in the table: they counted some of it, and so may the next one. */
async function removeLeases({ keyspace }: RunningConsole): Promise<void> {
  const client = await driver()
  const { rows } = await patiently(() => client.execute(`SELECT name FROM ${keyspace}.leases`))
  const left = rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('leasehold/'))
  // Cassandra gives a conditional write 1.8 s.
  const remove = `DELETE FROM ${keyspace}.leases WHERE name = ? IF EXISTS`
  await Promise.all(left.map((name) => patiently(() => client.execute(remove, [name]))))
  await client.shutdown()
}

/** The file of the worker's last test. */
let lastFile = ''

/** Before each test: a file begins with a console that has no leases. */
export async function emptyForFile(running: RunningConsole, file: string): Promise<void> {
  if (lastFile !== '' && lastFile !== file) await removeLeases(running)
  lastFile = file
}
