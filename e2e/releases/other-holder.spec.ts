/** Who presses Release… decides by the holder that the page shows: another one by then is said first. */
import { expect, keysWork, openPage, rowOf, test } from '../console/console.ts'
import type { RunningConsole } from '../console/running-console.ts'

async function handOver(running: RunningConsole, name: string, from: string, to: string): Promise<void> {
  await running.free(name, from)
  await running.hold(name, { owner: to, ttlSeconds: 300, value: `of ${to}` })
}

test('Release… of a row that shows an older holder says so first, with both side by side, and acts on none', async ({
  page,
  running,
}) => {
  await running.hold('other/paused', { owner: 'host8:1', ttlSeconds: 300, value: 'of host8:1' })
  await openPage(page, running, '/?prefix=other/')
  const row = rowOf(page, 'other/paused')
  await expect(row).toContainText('host8:1')
  await keysWork(page)
  await page.keyboard.press('p')
  await expect(page.getByText(/Paused, .* behind/)).toBeVisible()
  await handOver(running, 'other/paused', 'host8:1', 'host9:2')
  await expect(page.getByRole('button', { name: /Go live, [1-9]/ })).toBeVisible()
  await expect(row).toContainText('host8:1')
  await row.hover()
  await row.getByRole('button', { name: /^Release/ }).click()

  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toContainText('Another holder: other/paused')
  const owners = dialog.getByRole('row').filter({ hasText: 'Owner' })
  await expect(owners.getByRole('cell').nth(0)).toHaveText('host8:1')
  await expect(owners.getByRole('cell').nth(1)).toHaveText('host9:2')
  await expect(dialog.getByRole('columnheader', { name: /When you looked/ })).toBeVisible()
  await expect(dialog.getByRole('radio')).toHaveCount(0)
  await expect(dialog.getByLabel('Reason')).toHaveCount(0)

  await dialog.getByRole('button', { name: 'Go on with the new holder' }).click()
  await expect(dialog.getByRole('region', { name: 'Who holds it' })).toContainText('host9:2')
  await expect(dialog.getByRole('radio', { name: 'Ask' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  // Of a live row there is nothing to say.
  await page.getByRole('button', { name: /Go live/ }).click()
  await expect(row).toContainText('host9:2')
  await row.getByRole('button', { name: /^Release/ }).click()
  await expect(dialog.getByRole('radio', { name: 'Ask' })).toBeVisible()
  await expect(dialog).not.toContainText('Another holder')
  await page.keyboard.press('Escape')
  await running.free('other/paused', 'host9:2')
})

test('the page of a lease that is paused: another holder is said first', async ({ page, running }) => {
  await running.hold('other/page', { owner: 'first', ttlSeconds: 300 })
  await openPage(page, running, '/leases/other%2Fpage')
  await expect(page.getByRole('timer')).toBeVisible()
  await keysWork(page)
  await page.keyboard.press('p')
  await expect(page.getByText(/Paused, .* behind/)).toBeVisible()
  await handOver(running, 'other/page', 'first', 'second')
  await page.getByRole('button', { name: 'Release…' }).click()
  const dialog = page.getByRole('dialog').first()
  await expect(dialog.getByRole('alert')).toContainText('Another holder: other/page')
  await dialog.getByRole('button', { name: 'Leave it alone' }).click()
  await expect(dialog).toHaveCount(0)
  await running.free('other/page', 'second')
})

test('Release… of a lease that the palette found under an older holder: another holder is said first', async ({
  page,
  running,
}) => {
  await running.hold('other/found', { owner: 'first', ttlSeconds: 300 })
  await openPage(page, running, '/audit')
  await keysWork(page)
  await page.keyboard.press('Control+k')
  const option = page.getByRole('option', { name: 'Release other/found' })
  // While Cassandra is too busy to answer the list says so, and is read again for what is typed next.
  await expect(async () => {
    const field = page.getByRole('combobox', { name: /Find a lease/ })
    await field.fill('')
    await field.fill('other/found')
    await expect(option).toBeVisible({ timeout: 20_000 })
  }).toPass({ timeout: 120_000 })
  await handOver(running, 'other/found', 'first', 'second')
  await option.click()
  const dialog = page.getByRole('dialog').first()
  await expect(dialog.getByRole('alert')).toContainText('Another holder: other/found')
  await dialog.getByRole('button', { name: 'Leave it alone' }).click()
  await expect(dialog).toHaveCount(0)
  await running.free('other/found', 'second')
})
