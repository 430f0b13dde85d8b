/** What the history of a lease shows while it is read, when it cannot be, when there is none, and of a lease that changed hands. */
import { test } from '../console/behind-gateway.ts'
import { expect, openSignedIn, recorded } from '../console/console.ts'
import { driver, startConsole } from '../console/running-console.ts'

test('the history says that it is read, that nothing is kept, and how old it is in silence', async ({
  page,
  gateway,
  running,
}) => {
  gateway.fate = (path) => (path.includes('/events?') ? 'hold' : 'pass')
  await openSignedIn(page, running, '/leases/history%2Fempty?history=5m')
  const history = page.getByRole('region', { name: 'History' })
  await expect(history.getByRole('status')).toHaveText('Reading the history…')
  await expect(page.getByRole('main')).toContainText('Free. Cassandra confirmed it.')
  gateway.release()
  await expect(history).toContainText(/No event of this lease is kept for this time|Nothing was recorded yet/)
  await expect(history.getByRole('table')).toHaveCount(0)
  await expect(history).not.toHaveAttribute('data-stale', 'true')

  gateway.isSilent = true
  await expect(history).toHaveAttribute('data-stale', 'true')
  gateway.isSilent = false
  await expect(history).not.toHaveAttribute('data-stale', 'true')
})

test('a lease that changed hands says so; a history that cannot be read any more says as of when it is', async ({
  page,
}) => {
  // A console of its own: one of its tables is dropped.
  const running = await startConsole()
  const client = await driver()
  const cql = (text: string) =>
    client.execute(text.replace('leases', `${running.keyspace}.leases`), [], { prepare: true })
  const name = 'history/hands'
  await recorded(running)
  await cql(
    `UPDATE leases USING TTL 300 SET owner = 'ann:1', value = 'v' WHERE name = '${name}' IF owner = null`,
  )
  await openSignedIn(page, running, '/leases/history%2Fhands?history=5m')
  const history = page.getByRole('region', { name: 'History' })
  const rows = history.getByRole('table', { name: 'Events' }).locator('tbody tr')
  await expect(rows.first()).toContainText(/acquired.*ann:1/, { timeout: 60_000 })
  await cql(
    `UPDATE leases USING TTL 300 SET owner = 'ben:2', value = 'v' WHERE name = '${name}' IF owner = 'ann:1'`,
  )
  await expect(rows.first()).toContainText(/changed hands.*ben:2/, { timeout: 60_000 })
  await expect(rows.first()).toContainText('ann:1')
  await expect(history.locator('dl > div').filter({ hasText: 'Hand-overs' })).toContainText('1')
  // Since then ben holds it: the facts of the lease say for how long.
  await expect(page.getByRole('region', { name: 'Now' })).toContainText(/Held for(\d+ min )?\d+ s since/)

  // A change of the schema takes its time on a busy machine.
  await client.execute(`DROP TABLE ${running.keyspace}.lease_events`, [], { readTimeout: 60_000 })
  await expect(history).toContainText(/What follows is as of .* UTC/, { timeout: 120_000 })
  await expect(history).toHaveAttribute('data-stale', 'true')
  await expect(rows.first()).toContainText(/changed hands.*ben:2/)
  await page.reload()
  await expect(history).toContainText('The history could not be read; the page tries again.')
  await expect(page.getByRole('timer')).toBeVisible()
  await client.shutdown()
  await running.stop()
})
