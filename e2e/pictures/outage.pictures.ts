/**
 * What stands on the pages while Cassandra or the server is away, and what is stale meanwhile. A lost quorum, which looks
 * the same but for its sentence, needs three nodes: e2e/cassandra/quorum.long.spec.ts.
 */
import { FaultProxy } from 'leasehold/testing'
import { atRisk } from '../../scripts/pictures/demo-leases.mjs'
import { test as bare, expect, openSignedIn, rowOf } from '../console/console.ts'
import { Gateway } from '../console/gateway.ts'
import { admin, startConsole, testContactPoint } from '../console/running-console.ts'
import { forced, openRelease } from '../releases/releasing.ts'
import { take } from './camera.ts'
import { cql } from './demo.ts'

const leases = ['billing/dunning', 'cdc/shard-00', 'cdc/shard-01', 'orders/rebalance', 'scheduler/leader']
const owner = 'ip-10-0-3-21:4122:7f0c5e21a9d4:2k'

bare('Cassandra does not answer', async ({ browser }) => {
  const [host = '', port = ''] = testContactPoint().split(':')
  const proxy = await FaultProxy.listen(host, Number(port))
  const running = await startConsole({ contactPoint: proxy.contactPoint })
  const context = await browser.newContext()
  try {
    for (const name of leases)
      await running.hold(name, { owner, ttlSeconds: 300, value: 'cursor=acct_0091f3' })
    await forced(running, 'orders/rebalance', 'break', 'INC-4490: writes to the old cluster')
    await cql(
      running,
      "INSERT INTO leases (name, owner) VALUES ('legacy/cron-lock', 'ops-box-1') IF NOT EXISTS",
    )
    const paths = [
      '/',
      '/attention',
      '/leases/cdc%2Fshard-00',
      '/leases/never%2Fheld',
      '/audit',
      '/settings/doctor',
    ]
    const pages = await Promise.all(
      paths.map(async (path) => {
        // Each in a browser of its own: one keeps no more than six connections to a server.
        const page = await (await browser.newContext()).newPage()
        await openSignedIn(page, running, path)
        return page
      }),
    )
    const [list, attention, lease, free, audit, doctor] = pages as [(typeof pages)[0], ...typeof pages]
    const dialogPage = await context.newPage()
    await openSignedIn(dialogPage, running)
    const dialog = await openRelease(dialogPage, running, 'cdc/shard-01')
    await expect(rowOf(list, 'cdc/shard-00')).toContainText('confirmed')
    proxy.refuse()
    await expect(list.getByRole('alert').filter({ hasText: /has not answered|No quorum/ })).toBeVisible()
    await expect(rowOf(list, 'cdc/shard-00')).toContainText('stale')
    await take(list, 'list-lost', 'window')
    await expect(dialog).toContainText(/Locked/)
    await take(dialogPage, 'release-lost', 'dialog')
    await take(attention as typeof list, 'attention-lost')
    await take(lease as typeof list, 'lease-stale')
    await take(free as typeof list, 'lease-free-stale')
    await take(audit as typeof list, 'audit-lost')
    await take(doctor as typeof list, 'doctor-lost')
    const other = await context.newPage()
    await other.goto(`${running.url}/`)
    await expect(other.getByText(/Cassandra does not answer/).first()).toBeVisible()
    await take(other, 'unavailable')
  } finally {
    await context.close()
    await running.stop()
    await proxy.close()
  }
})

bare('the stream is silent; then the server is gone', async ({ browser }) => {
  const running = await startConsole()
  const gateway = await Gateway.listen(running.url)
  const context = await browser.newContext()
  try {
    for (const name of leases)
      await running.hold(name, { owner, ttlSeconds: 300, value: 'cursor=acct_0091f3' })
    await running.hold(atRisk.name, { owner: atRisk.owner, ttlSeconds: 300, value: atRisk.value })
    const page = await context.newPage()
    await openSignedIn(page, { ...running, url: gateway.url }, '/', admin)
    await expect(rowOf(page, 'cdc/shard-00')).toContainText('confirmed')
    gateway.isSilent = true
    await expect(rowOf(page, 'cdc/shard-00')).toContainText(/stale \d+ s/)
    await take(page, 'list-silent', 'window')
    gateway.close()
    await expect(page.getByRole('alert').filter({ hasText: 'server has not answered' })).toBeVisible()
    await page.getByRole('link', { name: 'Audit' }).click({ force: true })
    await expect(page.getByText('The page was not opened.')).toBeVisible()
    await take(page, 'list-server-gone', 'window')
  } finally {
    await context.close()
    await running.stop()
  }
})
