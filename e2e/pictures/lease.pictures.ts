/** The page of one lease, in each state of components/leases/row/lease-state-map.tsx. */
import { StatementProxy } from 'leasehold/testing'
import { encodeSegment } from '../../lib/contract/path.ts'
import { test as bare, expect, openSignedIn, rowOf } from '../console/console.ts'
import { startConsole, testContactPoint } from '../console/running-console.ts'
import { browserOf, forced, holders } from '../releases/releasing.ts'
import { take } from './camera.ts'
import { cql, test } from './demo.ts'

const pathOf = (name: string) => `/leases/${encodeSegment(name)}`

test('held, by the library and by hand', async ({ page, running }) => {
  await using people = await holders(running)
  const lease = await people.hold('ledger/closing-run', { ttlSeconds: 20 })
  await page.goto(running.url + pathOf('ledger/closing-run'))
  await expect(page.getByRole('main')).toContainText(/renews with/)
  // A renewal or two, so that the history has some.
  await expect(page.getByRole('region', { name: 'History' })).toContainText('acquired', { timeout: 60_000 })
  await take(page, 'lease-held')
  await lease.release()
  await expect(page.getByText('Free. Cassandra confirmed it.')).toBeVisible()
  await take(page, 'lease-gone')

  await running.hold('ledger/by-hand', { owner: 'ops-box-1', ttlSeconds: 120, value: 'for INC-4480' })
  await page.goto(running.url + pathOf('ledger/by-hand'))
  await expect(page.getByRole('region', { name: 'What Cassandra said' })).toBeVisible()
  await take(page, 'lease-held-by-hand')
  await running.free('ledger/by-hand', 'ops-box-1')
})

test('left by clients of other kinds: zombie, partial, eternal', async ({ page, running }) => {
  await cql(
    running,
    "INSERT INTO leases (name, owner, value) VALUES ('cdc/shard-12', 'ip-10-0-4-8:981', 'v') IF NOT EXISTS USING TTL 2",
    "UPDATE leases USING TTL 900 SET value = 'offset=71004412' WHERE name = 'cdc/shard-12' IF owner = 'ip-10-0-4-8:981'",
    "INSERT INTO leases (name, owner, value) VALUES ('reports/monthly', 'reports-7d9f', 'run=20261101') IF NOT EXISTS USING TTL 240",
    "UPDATE leases USING TTL 300 SET owner = 'reports-7d9f' WHERE name = 'reports/monthly' IF owner = 'reports-7d9f'",
  )
  for (const [state, name, words] of [
    ['eternal', 'legacy/cron-lock', 'no expiry'],
    ['partial', 'reports/monthly', 'Its renewals seem to update only the owner.'],
    ['zombie', 'cdc/shard-12', 'no owner'],
  ] as const) {
    await page.goto(running.url + pathOf(name))
    await expect(page.getByRole('main')).toContainText(words)
    await expect(page.getByRole('region', { name: 'What Cassandra said' })).toBeVisible()
    await take(page, `lease-${state}`)
  }
})

test('asked, quarantined, killed: what was done by force', async ({ page, browser, running }) => {
  const owner = 'ip-10-0-6-4:2210:8d55f7e9c0b1:4'
  await running.hold('search/compact', { owner, ttlSeconds: 120, value: 'segment=4411' })
  await forced(running, 'search/compact', 'ask', 'INC-4474: compaction stands still')
  await page.goto(running.url + pathOf('search/compact'))
  await expect(page.getByRole('region', { name: 'Release requests' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'What Cassandra said' })).toBeVisible()
  await take(page, 'lease-asked')
  await forced(running, 'search/compact', 'break', 'INC-4474: compaction stands still')
  await page.goto(running.url + pathOf('search/compact'))
  await expect(page.getByText('Broken. It cannot be acquired yet.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'What Cassandra said' })).toBeVisible()
  await take(page, 'lease-quarantined')

  await running.hold('search/merge', { owner, ttlSeconds: 120 })
  await forced(running, 'search/merge', 'kill', 'INC-4475: its host is gone')
  await page.goto(running.url + pathOf('search/merge'))
  await expect(page.getByText('The old holder may still act.')).toBeVisible()
  await take(page, 'lease-killed')
  await running.hold('search/merge', { owner: 'ip-10-0-6-5:1893:70be21c4d9f3:1', ttlSeconds: 120 })
  await expect(page.getByText(/^Two holders may act until/)).toBeVisible()
  await take(page, 'lease-killed-and-held')

  const viewer = { username: 'vera', password: 'a password of vera' }
  await running.api('POST', '/v1/users', { ...viewer, role: 'viewer' })
  const others = await browserOf(browser, running, viewer, pathOf('search/merge'))
  await expect(others.getByText(/^Two holders may act until/)).toBeVisible()
  await take(others, 'lease-seen-by-viewer')
  await others.context().close()
})

test('names: one that was never held, long ones, and those that have no page', async ({ page, running }) => {
  await page.goto(running.url + pathOf('never/held'))
  await expect(page.getByRole('main')).toContainText('Free')
  await take(page, 'lease-never-held')
  const long = `tenants/${'very-long-name-'.repeat(16)}/łódź 1`
  await running.hold(long, {
    owner: `ip-10-0-6-4:${'9'.repeat(200)}`,
    ttlSeconds: 300,
    value: 'x=1;'.repeat(400),
  })
  await page.goto(running.url + pathOf(long))
  await expect(page.getByRole('region', { name: 'What Cassandra said' })).toBeVisible()
  await take(page, 'lease-long-name')
  await page.goto(`${running.url}/?prefix=tenants/`)
  await expect(page.getByRole('table', { name: 'Leases' }).getByRole('link').first()).toBeVisible()
  await take(page, 'list-long-name', 'window')
  await page.goto(`${running.url}/leases/${'x'.repeat(513)}`)
  await expect(page.getByRole('heading', { name: 'No lease of this name can be opened here' })).toBeVisible()
  await take(page, 'lease-bad-name')
  // A name that is listed, and that no address can have.
  await cql(
    running,
    "INSERT INTO leases (name, owner, value) VALUES ('..', 'o', 'v') IF NOT EXISTS USING TTL 300",
  )
  await page.goto(`${running.url}/?prefix=..`)
  await expect(page.getByText('cannot be opened')).toBeVisible()
  await take(page, 'list-not-addressable', 'window')
})

bare('verifying: its time is up, and the SERIAL read is not answered yet', async ({ browser }) => {
  const [host = '', port = ''] = testContactPoint().split(':')
  let isHolding = false
  const proxy = await StatementProxy.listen(host, Number(port), {
    fault: ({ cql, values }) =>
      isHolding && cql.startsWith('SELECT') && values[0]?.toString() === 'ledger/ends'
        ? { kind: 'hold-answer', ms: 11_000 }
        : undefined,
  })
  const running = await startConsole({ contactPoint: proxy.contactPoint })
  try {
    for (const [state, path, of] of [
      ['list-verifying', '/?prefix=ledger/', 'window'],
      ['lease-verifying', '/leases/ledger%2Fends', 'page'],
    ] as const) {
      isHolding = false
      await running.hold('ledger/stays', { owner: 'ip-10-0-7-1:88:0fe12bd37a90:1', ttlSeconds: 300 })
      await running.hold('ledger/ends', { owner: 'ip-10-0-7-1:88:0fe12bd37a90:2', ttlSeconds: 15 })
      const page = await (await browser.newContext()).newPage()
      await openSignedIn(page, running, path)
      await expect(page.getByText(/00:0[1-3]\.\d/).first()).toBeVisible()
      isHolding = true
      const place = of === 'window' ? rowOf(page, 'ledger/ends') : page.getByRole('main')
      await expect(place).toContainText('verifying')
      await take(page, state, of)
      await page.context().close()
      isHolding = false
    }
  } finally {
    await running.stop()
    await proxy.close()
  }
})
