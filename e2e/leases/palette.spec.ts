/** The palette when answers are late or lost: what was chosen stays chosen, and an act that failed says so. */
import { test } from '../console/behind-gateway.ts'
import { expect, keysWork, openSignedIn } from '../console/console.ts'

test('leases that are found late move no choice, and those of another text are not offered', async ({
  page,
  gateway,
  running,
}) => {
  await running.hold('export/late', { owner: 'host-7', ttlSeconds: 600 })
  await openSignedIn(page, running)
  await keysWork(page)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /Find a lease/ })
  const found = page.getByRole('option', { name: /^export\/late/ })
  const act = page.getByRole('option', { name: 'Export the list…' })
  const holdSearch = (path: string) =>
    path.startsWith('/v1/leases?') && path.includes('q=export') ? 'hold' : 'pass'
  gateway.fate = holdSearch
  await field.fill('export')
  await act.hover()
  await expect(act).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => gateway.spoiled).toBeGreaterThan(0)
  gateway.release()
  await expect(found).toBeVisible()
  await expect(act).toHaveAttribute('aria-selected', 'true')
  // Another option lies under the mouse now, which was not moved.
  await page.mouse.down()
  await page.mouse.up()
  gateway.fate = holdSearch
  await field.fill('export/z')
  await expect(found).toHaveCount(0)
  await field.press('Enter')
  await expect(page).toHaveURL(/\/\?q=export%2Fz$/)
  gateway.release()
  await running.free('export/late', 'host-7')
})

test('a sign-out that failed says so, and may be pressed again', async ({ page, gateway, running }) => {
  await openSignedIn(page, running)
  await keysWork(page)
  await page.keyboard.press('Control+k')
  const signOut = page.getByRole('option', { name: 'Sign out' })
  gateway.onItsWay = async (method, path) => {
    if (method === 'DELETE' && path.startsWith('/v1/session')) throw new Error('the network loses it')
  }
  await signOut.click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Not signed out.')
  gateway.onItsWay = async () => {}
  await signOut.click()
  await expect(page).toHaveURL(/\/sign-in/)
})
