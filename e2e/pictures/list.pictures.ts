import { atRisk } from '../../scripts/pictures/demo-leases.mjs'
import { test as bare, expect, keysWork, openSignedIn, rowOf } from '../console/console.ts'
import { admin, startConsole } from '../console/running-console.ts'
import { take } from './camera.ts'
import { test } from './demo.ts'

test('list, Attention and lease while one is at risk', async ({ page, running }) => {
  // Another test may have come first, and its time may be up.
  const { name, ...lock } = atRisk
  await running.hold(name, { ...lock, ttlSeconds: 120 })
  await page.goto(running.url)
  await expect(rowOf(page, name)).toContainText('at risk', { timeout: 120_000 })
  await take(page, 'list-full', 'window')
  await page.goto(`${running.url}/attention`)
  await expect(page.getByRole('link', { name })).toBeVisible()
  await take(page, 'attention')
  await page.goto(`${running.url}/leases/${encodeURIComponent(name)}`)
  await expect(page.getByText('Renewals are missing.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'What Cassandra said' })).toBeVisible()
  await take(page, 'lease-at-risk')
})

test('list, filtered and without a match', async ({ page, running }) => {
  const states: [string, string][] = [
    ['list-prefix', '/?prefix=tenants/'],
    ['list-state', '/?state=zombie,partial,eternal,quarantined'],
    ['list-sorted', '/?sort=left&order=desc&hide=value'],
    ['list-no-match', '/?q=no-lease-is-called-this'],
    ['list-no-match-state', '/?prefix=cdc/&state=eternal'],
    ['list-no-table', '/?table=no_such_table'],
  ]
  for (const [state, path] of states) {
    await page.goto(running.url + path)
    await expect(
      page
        .getByRole('table', { name: 'Leases' })
        .getByRole('link')
        .or(page.getByRole('heading', { name: /No lease/ }))
        .or(page.getByText('is configured here.'))
        .first(),
    ).toBeVisible()
    await take(page, state, 'window')
  }
})

test('list, with the cursor, its menus and dialogs', async ({ page, running }) => {
  await page.goto(running.url)
  await expect(rowOf(page, 'cdc/shard-00')).toContainText('held')
  await keysWork(page)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await take(page, 'list-cursor', 'window')
  await page.keyboard.press('v')
  await expect(page.getByRole('menuitemcheckbox', { name: 'Value' })).toBeVisible()
  await take(page, 'list-columns', 'window')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /admin, admin/ }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible()
  await take(page, 'menu-user', 'window')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option').first()).toBeVisible()
  await take(page, 'palette', 'window')
  await page.keyboard.type('shard')
  await expect(page.getByRole('option', { name: /cdc\/shard-02/ }).first()).toBeVisible()
  await take(page, 'palette-found', 'window')
  for (const dialog of ['help', 'export', 'new']) {
    await page.goto(`${running.url}/?${dialog}=1`)
    await expect(page.getByRole('dialog')).toBeVisible()
    await take(page, `list-${dialog}`, 'dialog')
  }
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('reports/weekly')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Acquire/ })
    .click()
  await expect(
    page
      .getByRole('dialog')
      .getByText(/Acquired|acquired/)
      .first(),
  ).toBeVisible()
  await take(page, 'list-new-acquired', 'dialog')
  await page.goto(`${running.url}/?new=1`)
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('cdc/shard-00')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Acquire/ })
    .click()
  await expect(page.getByRole('dialog').getByText('ip-10-0-4-8:981', { exact: false }).first()).toBeVisible()
  await take(page, 'list-new-held', 'dialog')
})

test('list, paused while leases change', async ({ page, running }) => {
  await page.goto(running.url)
  await expect(rowOf(page, 'cdc/shard-00')).toContainText('held')
  await keysWork(page)
  await page.keyboard.press('p')
  await running.hold('pause/new', { owner: 'ip-10-0-7-1:88:0fe12bd37a90:2', ttlSeconds: 300 })
  await expect(page.getByRole('button', { name: /Go live, [1-9]/ })).toBeVisible()
  await take(page, 'list-paused', 'window')
})

test('a lease that flaps', async ({ page, running }) => {
  await openSignedIn(page, running, '/?prefix=flap/')
  const owners = ['gpu-01:77', 'gpu-02:81', 'gpu-03:79', 'gpu-04:80']
  for (const [index, owner] of owners.entries()) {
    await running.hold('flap/encoder', { owner, ttlSeconds: 300 })
    await expect(rowOf(page, 'flap/encoder')).toContainText(owner)
    if (index < owners.length - 1) await running.free('flap/encoder', owner)
  }
  await expect(rowOf(page, 'flap/encoder')).toContainText('flapping')
  await take(page, 'list-flapping', 'window')
  await page.goto(`${running.url}/leases/flap%2Fencoder`)
  await expect(page.getByRole('region', { name: 'What Cassandra said' })).toBeVisible()
  await take(page, 'lease-flapping')
  await running.free('flap/encoder', 'gpu-04:80')
})

test('list, a lease that goes', async ({ page, running }) => {
  await openSignedIn(page, running, '/?prefix=going/')
  await running.hold('going/stays', { owner: 'ip-10-0-7-1:88:0fe12bd37a90:1', ttlSeconds: 300 })
  await running.hold('going/once', { owner: 'ip-10-0-7-1:88:0fe12bd37a90:2', ttlSeconds: 300 })
  await expect(rowOf(page, 'going/once')).toContainText('held')
  await running.free('going/once', 'ip-10-0-7-1:88:0fe12bd37a90:2')
  await expect(rowOf(page, 'going/once')).toContainText('gone')
  await take(page, 'list-gone', 'window')
})

bare('a console without leases', async ({ browser }) => {
  const running = await startConsole()
  try {
    const page = await (await browser.newContext()).newPage()
    await openSignedIn(page, running, '/', admin)
    await expect(page.getByRole('heading', { name: 'No leases yet.' })).toBeVisible()
    await take(page, 'list-empty')
    await page.goto(`${running.url}/attention`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await take(page, 'attention-none')
    await page.goto(`${running.url}/audit?username=nina`)
    await expect(page.getByRole('heading', { name: /No entry/ })).toBeVisible()
    await take(page, 'audit-none')
  } finally {
    await running.stop()
  }
})
