/** Rows stay where they are while a person may be about to press something in them. */
import type { Page } from '@playwright/test'
import { test } from '../console/behind-gateway.ts'
import { expect, keysWork, noteSaid, openSignedIn, rowOf } from '../console/console.ts'
import { driver, type RunningConsole } from '../console/running-console.ts'

const links = (page: Page) => page.getByRole('table', { name: 'Leases' }).getByRole('link')

/** A lease that never expires stands above those that are held. */
async function holdEternal(running: RunningConsole, name: string): Promise<void> {
  const client = await driver()
  await client.execute(
    `UPDATE ${running.keyspace}.leases USING TTL 0 SET owner = ?, value = ? WHERE name = ? IF owner = null`,
    ['o', 'v', name],
    { prepare: true },
  )
  await client.shutdown()
}

async function free(running: RunningConsole, ...names: string[]): Promise<void> {
  for (const name of names) await running.free(name, 'o')
}

test('no row moves under a mouse that rests, however long: what comes waits, and is shown when the mouse leaves', async ({
  page,
  running,
}) => {
  for (const name of ['rest/b', 'rest/c', 'rest/d']) await running.hold(name, { owner: 'o', ttlSeconds: 600 })
  await page.setViewportSize({ width: 1440, height: 800 })
  await openSignedIn(page, running, '/?prefix=rest/')
  await expect(links(page)).toHaveText(['rest/b', 'rest/c', 'rest/d'])
  await keysWork(page)
  const release = rowOf(page, 'rest/c').getByRole('button', { name: /^Release/ })
  await release.hover()
  const foot = page.getByText(/3 leases, each confirmed at SERIAL/)
  await expect(foot).toBeVisible()
  const before = await foot.boundingBox()

  await holdEternal(running, 'rest/a')
  await running.free('rest/b', 'o')
  await expect(page.getByRole('button', { name: '2 changes wait' })).toBeVisible()
  // A row that is gone leaves five seconds later, and a pointer that rests was taken for a parked one after ten.
  // By the real clock: a page whose clock is moved on hears nothing meanwhile, and says so above the rows.
  const age = /confirmed (1[2-9]|[2-9]\d) s ago/
  await expect(rowOf(page, 'rest/b')).toContainText(age, { timeout: 30_000 })
  await expect(page.getByRole('button', { name: '2 changes wait' })).toBeVisible()
  await expect(links(page)).toHaveText(['rest/b', 'rest/c', 'rest/d'])
  const y = async () => (await page.getByText(/confirmed at SERIAL/).boundingBox())?.y
  await expect.poll(y).toBe(before?.y)
  await expect(release).toBeVisible()
  await page.mouse.down()
  await page.mouse.up()
  await expect(page.getByRole('dialog', { name: /rest\/c/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Leases' }).hover()
  await page.keyboard.press('Escape')
  await expect(links(page)).toHaveText(['rest/a', 'rest/c', 'rest/d'])
  await expect(page.getByRole('button', { name: /wait$/ })).toHaveCount(0)
  await free(running, 'rest/a', 'rest/c', 'rest/d')
})

test('no row moves under the keys: Esc leaves the rows, and what waits comes in', async ({
  page,
  running,
}) => {
  await running.hold('cursor/b', { owner: 'o', ttlSeconds: 600 })
  await openSignedIn(page, running, '/?prefix=cursor/')
  await expect(links(page)).toHaveText(['cursor/b'])
  await keysWork(page)
  await page.keyboard.press('j')
  await holdEternal(running, 'cursor/a')
  const waits = page.getByRole('button', { name: '1 change waits' })
  await expect(waits).toBeVisible()
  await expect(links(page)).toHaveText(['cursor/b'])
  await page.keyboard.press('Escape')
  await expect(links(page)).toHaveText(['cursor/a', 'cursor/b'])
  await page.keyboard.press('j')
  await running.hold('cursor/0', { owner: 'o', ttlSeconds: 600 })
  await expect(links(page)).toHaveCount(2)
  await waits.click()
  await expect(links(page)).toHaveCount(3)
  await free(running, 'cursor/a', 'cursor/0', 'cursor/b')
})

test('a press where the page moved another row under the mouse does nothing, and says so; the next one works', async ({
  page,
  gateway,
  running,
}) => {
  for (const name of ['aim/a', 'aim/b', 'aim/c', 'aim/d'])
    await running.hold(name, { owner: `owner of ${name}`, ttlSeconds: 600 })
  await page.setViewportSize({ width: 1440, height: 800 })
  await openSignedIn(page, running, '/?prefix=aim/')
  await expect(links(page)).toHaveText(['aim/a', 'aim/b', 'aim/c', 'aim/d'])
  await keysWork(page)
  await rowOf(page, 'aim/d').getByText('owner of aim/d').hover()
  gateway.isSilent = true
  // It stands above the rows.
  await expect(page.getByText(/The stream of this list has been silent for/)).toBeVisible()
  const saidMoved = await noteSaid(page, 'body', /The rows moved under the pointer, so nothing was pressed\./)
  await page.mouse.down()
  await page.mouse.up()
  await saidMoved()
  await expect(page).toHaveURL(/prefix=aim/)
  await page.mouse.down()
  await page.mouse.up()
  await expect(page).toHaveURL(/\/leases\/aim/)
  gateway.isSilent = false
  for (const name of ['aim/a', 'aim/b', 'aim/c', 'aim/d']) await running.free(name, `owner of ${name}`)
})
