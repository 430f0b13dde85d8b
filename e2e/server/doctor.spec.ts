import type { Page } from '@playwright/test'
import { grantTwice, grantTwiceNoMore } from '../../lib/leasehold/test/lying-table.ts'
import { expectAccessible } from '../browser/axe.ts'
import { expect, openPage, openSignedIn, test } from '../console/console.ts'
import { driver } from '../console/running-console.ts'

const alarm = (page: Page) => page.getByRole('region', { name: 'Alarm of the table leases' })
const finding = (page: Page, check: string) =>
  page
    .getByRole('table', { name: 'Findings' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: check, exact: true }) })
const runCanary = (page: Page) => page.getByRole('button', { name: 'Run the canary' })

test('the doctor says what it finds, and runs the canary', async ({ page, running }) => {
  await openPage(page, running)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Doctor' }).click()
  await expect(page.getByText('No check failed.')).toBeVisible()
  // The embedded node has the one copy.
  await expect(finding(page, 'Replication')).toContainText(/warning.*a lost disk loses every lease/)
  await expect(finding(page, 'Canary')).toContainText('A fresh lease was granted once')
  await expect(finding(page, 'Versions')).toContainText(/Cassandra 5\.0\.\d+/)
  await expect(page).toHaveTitle(/^Doctor/)
  await runCanary(page).click()
  await expect(page.getByText('The canary has come to its end.')).toBeAttached()
  await expect(finding(page, 'Canary')).toContainText('ok')
})

test('the addresses that people guess lead to the pages', async ({ page, running }) => {
  await page.goto(`${running.url}/doctor`)
  await expect(page).toHaveURL(`${running.url}/settings/doctor`)
  await page.goto(`${running.url}/leases?q=billing`)
  await expect(page).toHaveURL(`${running.url}/?q=billing`)
})

test('a viewer sees no doctor', async ({ browser, running }) => {
  await running.addUser({
    username: 'vito',
    password: 'a password of a test',
    role: 'viewer',
  })
  const page = await (await browser.newContext()).newPage()
  await openSignedIn(page, running, '/settings/doctor', {
    username: 'vito',
    password: 'a password of a test',
  })
  await expect(page.getByRole('heading', { name: 'This is for operators and admins.' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Doctor' })).toHaveCount(0)
  await page.close()
})

test('a table that grants a lease twice is red on every page, and written again once a canary passes', async ({
  page,
  browser,
  running,
}) => {
  const client = await driver()
  const table = `${running.keyspace}.leases`
  const viewer = await (await browser.newContext()).newPage()
  await openSignedIn(viewer, running, '/', { username: 'vito', password: 'a password of a test' })
  await page.goto(`${running.url}/`)

  // Nothing is pressed: the console notices the change of the schema.
  await grantTwice(client, table)
  await expect(alarm(page)).toContainText('The same lease was granted to two owners.')
  await expect(page).toHaveTitle(/^⚠ Canary failed/)
  await expect(alarm(viewer)).toContainText('Two programs may hold one lease.')
  await expect(alarm(viewer).getByRole('link')).toHaveCount(0)
  for (const path of ['/audit', '/settings/account', '/leases/any']) {
    await page.goto(running.url + path)
    await expect(alarm(page)).toBeVisible()
  }
  expect(await running.api('PUT', '/v1/locks/new', {})).toMatchObject({
    status: 503,
    body: { code: 'canary-failed' },
  })

  await page.goto(`${running.url}/`)
  const locked = page.getByRole('button', { name: /locked: the canary of this table failed/ })
  await expect(locked.first()).toBeVisible()

  await alarm(page).getByRole('link', { name: 'Open the doctor' }).click()
  await expect(page.getByText('Mend this first')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Findings' }).getByRole('row')
  await expect(rows.nth(1)).toContainText(/failed.*Canary.*leases.*Stop the programs/)
  await expect(finding(page, 'Columns')).toContainText('was dropped with a time')
  await expectAccessible(page, 'the doctor, at 1440')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, 'the doctor, at 390')
  await runCanary(page).click()
  await expect(page.getByText('The canary has come to its end.')).toBeAttached()
  await expect(alarm(page)).toBeVisible()

  await grantTwiceNoMore(client, table)
  await runCanary(page).click()
  await expect(alarm(page)).toHaveCount(0)
  await expect(alarm(viewer)).toHaveCount(0)
  await expect(page).not.toHaveTitle(/Canary/)
  expect((await running.api('PUT', '/v1/locks/new', {})).status).toBe(201)
  await client.shutdown()
  await viewer.close()
})
