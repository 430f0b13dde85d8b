/** Which lease is in trouble, what a reader chooses to see of the list, and what a link of it carries. */
import { expect, keysWork, noteSaid, openPage, rowOf, test } from '../console/console.ts'
import { driver } from '../console/running-console.ts'

test('a lease that changes hands again and again is flapping, in the list and one key away in Attention', async ({
  page,
  running,
}) => {
  await openPage(page, running, '/?prefix=flap/')
  for (const owner of ['first', 'second', 'third', 'fourth']) {
    await running.hold('flap/a', { owner, ttlSeconds: 600 })
    await expect(rowOf(page, 'flap/a')).toContainText(owner)
    if (owner !== 'fourth') await running.free('flap/a', owner)
  }
  await expect(rowOf(page, 'flap/a')).toContainText('flapping')
  await keysWork(page)
  await page.keyboard.press('7')
  await expect(page).toHaveURL(/state=flapping/)
  await expect(rowOf(page, 'flap/a')).toBeVisible()
  await page.keyboard.press('a')
  const trouble = page.getByRole('table', { name: 'Needs attention' }).getByRole('row')
  await expect(trouble.filter({ hasText: 'flap/a' })).toContainText('It changed hands 3 times')
  await running.free('flap/a', 'fourth')
})

test('columns are left out by keyboard; the link says so, and this browser remembers', async ({
  page,
  running,
}) => {
  await running.hold('columns/a', { owner: 'o', ttlSeconds: 600, value: 'seen' })
  await page.setViewportSize({ width: 1440, height: 800 })
  await openPage(page, running, '/?prefix=columns/')
  const row = rowOf(page, 'columns/a')
  const head = page.getByRole('columnheader', { name: 'Value' })
  await expect(row).toContainText('seen')
  await expect(head).toBeVisible()
  const nameWidth = async () => (await row.getByRole('cell').first().boundingBox())?.width ?? 0
  const before = await nameWidth()
  await keysWork(page)
  await page.keyboard.press('v')
  const item = page.getByRole('menuitemcheckbox', { name: 'Value' })
  await expect(item).toBeChecked()
  // The menu is drawn a frame before it has the focus: a key in between goes to the page.
  await expect(page.locator('[role=menu]:focus, [role=menu] :focus')).toHaveCount(1)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(item).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/hide=value/)
  await expect(head).toBeHidden()
  expect(await nameWidth(), 'the others take its place').toBeGreaterThan(before)
  // Without the link's word, this browser's choice counts.
  await page.goto(`${running.url}/?prefix=columns/`)
  await expect(row).toBeVisible()
  await expect(head).toBeHidden()
  await page.goto(`${running.url}/?prefix=columns/&hide=none`)
  await expect(head).toBeVisible()
  await running.free('columns/a', 'o')
})

test('a view gets a name, is found in the menu and in the palette, and is forgotten', async ({
  page,
  running,
}) => {
  await running.hold('views/a', { owner: 'o', ttlSeconds: 600 })
  await page.setViewportSize({ width: 1440, height: 800 })
  await openPage(page, running, '/?prefix=views/&state=held&sort=left')
  await expect(rowOf(page, 'views/a')).toBeVisible()
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Saved views' })
  await dialog.getByRole('button', { name: 'Save the view' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('A view needs a name.')
  await dialog.getByLabel('Name of the present view').fill('Night shift')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status')).toHaveText('Saved as Night shift.')
  await page.keyboard.press('Escape')

  await page.goto(`${running.url}/?q=nothing-like-this`)
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Night shift' }).click()
  await expect(page).toHaveURL(`${running.url}/?prefix=views%2F&state=held&sort=left`)
  await expect(rowOf(page, 'views/a')).toBeVisible()
  await page.goto(`${running.url}/audit`)
  await keysWork(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('night')
  await page.getByRole('option', { name: 'Night shift' }).click()
  await expect(page).toHaveURL(/state=held&sort=left$/)

  // Its dialogs open over the view: an export is of what is shown.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('csv')
  await page.getByRole('option', { name: 'Export the list…' }).click()
  await expect(page).toHaveURL(/state=held&sort=left&export=1$/)
  await expect(page.getByRole('dialog', { name: 'Export the list' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/state=held&sort=left$/)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('delete one')
  await page.getByRole('option', { name: /Save the view/ }).click()
  await dialog.getByRole('button', { name: 'Delete the view Night shift' }).click()
  await expect(dialog.getByRole('list', { name: 'Saved views' })).toHaveCount(0)
  await page.reload()
  await expect(dialog).toBeVisible()
  await expect(dialog).not.toContainText('Night shift')
  await running.free('views/a', 'o')
})

test('c copies a name, and Shift C a link that carries the whole view', async ({ page, running }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await running.hold('copy/a', { owner: 'o', ttlSeconds: 600 })
  await openPage(page, running, '/?prefix=copy/&state=held&sort=left&order=desc&hide=value')
  await expect(rowOf(page, 'copy/a')).toBeVisible()
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await keysWork(page)
  await page.keyboard.press('j')
  // It is said for three seconds what a key did.
  const saidName = await noteSaid(page, 'body', /Copied the name\./)
  await page.keyboard.press('c')
  await saidName()
  expect(await clipboard()).toBe('copy/a')
  const saidLink = await noteSaid(page, 'body', /Copied the link of this view\./)
  await page.keyboard.press('Shift+C')
  await saidLink()
  const link = new URL(await clipboard())
  expect(Object.fromEntries(link.searchParams)).toEqual({
    prefix: 'copy/',
    state: 'held',
    sort: 'left',
    order: 'desc',
    hide: 'value',
  })
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Choose the columns')
  await running.free('copy/a', 'o')
})

test('the rows of canaries are not in the list, nor counted, unless they are asked for', async ({
  page,
  running,
}) => {
  const client = await driver()
  const acquire = (name: string) =>
    client.execute(
      `UPDATE ${running.keyspace}.leases USING TTL 0 SET owner = ?, value = ? WHERE name = ? IF owner = null`,
      ['o', 'v', name],
      { prepare: true },
    )
  await openPage(page, running)
  await acquire('leasehold/canary/left-over')
  // Eternal rows need attention. The next scan shows both.
  await acquire('canaries/other')
  await expect(rowOf(page, 'canaries/other')).toBeVisible()
  await expect(rowOf(page, 'leasehold/canary/left-over')).toHaveCount(0)
  const chips = page.getByRole('group', { name: 'Filter by state' })
  await expect(chips.getByRole('button', { name: 'eternal 1' })).toBeVisible()
  await keysWork(page)
  await page.keyboard.press('?')
  await page.getByRole('link', { name: /show names that begin with leasehold\/canary/ }).click()
  await expect(rowOf(page, 'leasehold/canary/left-over')).toBeVisible()
  for (const name of ['leasehold/canary/left-over', 'canaries/other'])
    await client.execute(`DELETE FROM ${running.keyspace}.leases WHERE name = ? IF owner = ?`, [name, 'o'], {
      prepare: true,
    })
  await client.shutdown()
})
