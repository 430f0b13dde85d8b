/** The holder changes while a release is on its way: nothing is released. */
import { test } from '../console/behind-gateway.ts'
import { expect, openSignedIn } from '../console/console.ts'
import { fillIn } from './releasing.ts'

test('refuses when the holder changed, and shows old and new side by side', async ({
  page,
  gateway,
  running,
}) => {
  await running.hold('release/changed', { owner: 'old holder', value: 'epoch=1' })
  await openSignedIn(page, running, '/leases/release%2Fchanged')
  await page.getByRole('button', { name: 'Release…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('old holder')
  await fillIn(page, dialog, 'Kill', { name: 'release/changed' })
  // A plan whose holder has changed locks with the next read: it changes while the release is on its way.
  gateway.onItsWay = async (method, path) => {
    if (method !== 'POST' || !path.endsWith('/release')) return
    await running.free('release/changed', 'old holder')
    await running.hold('release/changed', { owner: 'new holder', value: 'epoch=2' })
  }
  await dialog.getByRole('button', { name: 'Kill the lease' }).click()
  await expect(dialog).toContainText('Nothing was released: release/changed, the holder changed')
  const owners = dialog.getByRole('row').filter({ hasText: 'Owner' })
  await expect(owners.getByRole('cell').nth(0)).toContainText('old holder')
  await expect(owners.getByRole('cell').nth(1)).toContainText('new holder')
  expect((await running.api('GET', '/v1/leases/release%2Fchanged')).body.owner).toBe('new holder')
  await dialog.getByRole('button', { name: 'Plan again for the new holder' }).click()
  await expect(dialog).toContainText('new holder')
  await expect(dialog.getByLabel('Reason')).toHaveValue('test')
  await expect(dialog.getByLabel('Type the name')).toHaveValue('')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await running.free('release/changed', 'new holder')
})
