/** Tables of others that are mapped: without an owner column, read-only; and a table that is not configured. */
import { testCredentialsEnvironment } from '../../lib/leasehold/test/node-session.ts'
import { test as bare, expect, openSignedIn } from '../console/console.ts'
import { driver, startConsole } from '../console/running-console.ts'
import { take } from './camera.ts'

bare('mapped tables', async ({ browser }) => {
  const keyspace = `pictures_${process.pid}`
  const client = await driver()
  await client.execute(
    `CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}`,
  )
  await client.execute(`CREATE TABLE ${keyspace}.locks (lockname text PRIMARY KEY)`)
  await client.execute(`CREATE TABLE ${keyspace}.election ("group" text PRIMARY KEY, leader_id text)`)
  await client.execute(
    `INSERT INTO ${keyspace}.locks (lockname) VALUES ('nightly-export') IF NOT EXISTS USING TTL 600`,
  )
  await client.execute(
    `INSERT INTO ${keyspace}.election ("group", leader_id) VALUES ('scheduler', 'ip-10-0-3-17') IF NOT EXISTS USING TTL 600`,
  )
  const tables = {
    cron: { keyspace, table: 'locks', name: 'lockname', owner: null },
    leaders: { keyspace, table: 'election', name: 'group', owner: 'leader_id', readOnly: true },
  }
  const running = await startConsole({
    env: { ...testCredentialsEnvironment(), LEASEHOLD_CONFIG: JSON.stringify({ tables }) },
  })
  const page = await (await browser.newContext()).newPage()
  try {
    await openSignedIn(page, running, '/?table=cron')
    await expect(page.getByRole('link', { name: 'nightly-export' })).toBeVisible()
    await take(page, 'table-ownerless-list', 'window')
    await page.goto(`${running.url}/leases/nightly-export?table=cron`)
    await expect(page.getByRole('region', { name: 'What Cassandra said' })).toBeVisible()
    await take(page, 'table-ownerless-lease')
    await page.goto(`${running.url}/?table=leaders`)
    await expect(page.getByRole('link', { name: 'scheduler' })).toBeVisible()
    await take(page, 'table-read-only-list', 'window')
    await page.goto(`${running.url}/leases/scheduler?table=leaders`)
    await expect(page.getByRole('region', { name: 'What Cassandra said' })).toBeVisible()
    await take(page, 'table-read-only-lease')
    await page.goto(`${running.url}/leases/scheduler?table=no_such_table`)
    await expect(page.getByText('is configured here.')).toBeVisible()
    await take(page, 'table-unknown')
  } finally {
    await page.context().close()
    await running.stop()
    await client.execute(`DROP KEYSPACE ${keyspace}`)
    await client.shutdown()
  }
})
