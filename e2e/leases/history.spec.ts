import { violationsIn } from '../browser/axe.ts'
import { expect, recorded, test, untilDone } from '../console/console.ts'
import { browserOf, fillIn, openRelease } from '../releases/releasing.ts'

test('the history shows what happened in order, to a viewer too, and by keyboard', async ({
  browser,
  page,
  running,
}) => {
  const name = 'history/one'
  const path = '/leases/history%2Fone'
  const viewer = { username: 'historian', password: 'a password of historian' }
  await running.addUser({ ...viewer, role: 'viewer' })
  await page.goto(`${running.url}${path}?history=5m`)
  const history = page.getByRole('region', { name: 'History' })
  const rows = history.getByRole('table', { name: 'Events' }).locator('tbody tr')
  await recorded(running)
  // Each is on screen before the next: the recorder sees what stands there when it reads.
  await running.hold(name, { owner: 'first', ttlSeconds: 60 })
  await expect(rows.first()).toContainText(/acquired.*first/, { timeout: 60_000 })
  await running.hold(name, { owner: 'first', ttlSeconds: 60 })
  await running.free(name, 'first')
  await expect(rows.first()).toContainText(/released.*first/, { timeout: 60_000 })
  await running.hold(name, { owner: 'second', ttlSeconds: 300 })
  await expect(rows.first()).toContainText(/acquired.*second/, { timeout: 60_000 })
  const said = page.getByRole('region', { name: 'What Cassandra said' })
  const [eventBox, saidBox] = [await rows.first().boundingBox(), await said.boundingBox()]
  expect(saidBox?.x, 'beside the events').toBeGreaterThan((eventBox?.x ?? 0) + (eventBox?.width ?? 0))
  expect(saidBox?.y, 'not under them').toBeLessThan(eventBox?.y ?? 0)
  const dialog = await openRelease(page, running, name)
  await fillIn(page, dialog, 'Kill', { name, reason: 'INC-4711 drained host' })
  await dialog.getByRole('button', { name: 'Kill the lease' }).click()
  await untilDone(dialog, 'Kill the lease', dialog.filter({ hasText: 'Killed: history/one, free' }))
  await page.goto(`${running.url}${path}?history=5m`)
  await expect(rows.first()).toContainText(/killed.*second.*admin.*INC-4711 drained host/, {
    timeout: 60_000,
  })
  await expect(rows.first().getByRole('link', { name: 'See the release' })).toBeVisible()
  await running.hold(name, { owner: 'third', ttlSeconds: 30 })
  // The recorder misses a lease that ends between two of its reads. It knows how a lease ended only if it read it in the last third
  // of the TTL.
  await expect(rows.first()).toContainText(/acquired.*third/, { timeout: 60_000 })
  await expect(rows.first()).toContainText(/expired.*third/, { timeout: 120_000 })
  await expect(rows).toContainText([
    /expired.*third/,
    /acquired.*third/,
    /killed.*second/,
    /acquired.*second/,
    /released.*first/,
    /acquired.*first/,
  ])
  const figure = (word: string) => history.locator('dl > div').filter({ hasText: word })
  await expect(figure('Hand-overs')).toContainText('2')
  await expect(figure('Leaderless')).toContainText(/\d s/)

  // Arrow keys walk through the events, and a live region reads each.
  const cursor = history.getByRole('slider', { name: 'Events' })
  const read = history.getByRole('status', { name: 'Event under the cursor' })
  await cursor.focus()
  await expect(read).toContainText(/UTC.*: expired, third/)
  await page.keyboard.press('ArrowLeft')
  await expect(read).toContainText(/: acquired, third/)
  await page.keyboard.press('ArrowLeft')
  await expect(read).toContainText(/: killed, second, by admin: INC-4711 drained host/)
  await page.keyboard.press('Home')
  await expect(read).toContainText(/: acquired, first/)
  await page.keyboard.press('End')
  await expect(read).toContainText(/: expired, third/)

  // The range stands in the URL.
  await history.getByRole('button', { name: '24 h' }).click()
  await expect(page).toHaveURL(/history=24h/)
  await page.reload()
  await expect(history.getByRole('button', { name: '24 h' })).toHaveAttribute('aria-pressed', 'true')
  await expect(rows.first()).toContainText(/expired.*third/)

  const others = await browserOf(browser, running, viewer, `${path}?history=1h`)
  const theirs = others.getByRole('region', { name: 'History' })
  await expect(theirs.getByRole('row').filter({ hasText: 'killed' })).toContainText('second')
  await others.context().close()

  for (const colorScheme of ['dark', 'light'] as const)
    for (const width of [1440, 900, 390]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      const violations = await violationsIn(page, '.history')
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
})
