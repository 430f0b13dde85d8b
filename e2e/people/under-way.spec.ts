/** The reader goes on, or leaves, while a request is under way. */
import { test } from '../console/behind-gateway.ts'
import {
  counted,
  expect,
  openElevated,
  openSignedIn,
  signInByRequest,
  untilDone,
} from '../console/console.ts'
import { admin } from '../console/running-console.ts'

test('a form that was left while its elevation was under way sends nothing', async ({
  page,
  gateway,
  running,
}) => {
  await running.addUser({ username: 'left', password: 'a password', role: 'viewer' })
  await openSignedIn(page, running, '/settings/users')
  const row = page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: 'left' })
  await row.getByRole('button', { name: /^New password/ }).click()
  await page.getByRole('button', { name: 'Set the password' }).click()
  const elevation = page.getByRole('dialog', { name: 'Confirm your password' })
  await elevation.getByLabel('Password of admin').fill(admin.password)
  const sent = counted(page, 'POST', /^\/v1\/users\/left\/password$/)
  gateway.fate = (path) => (path === '/v1/session/elevation' ? 'hold' : 'pass')
  await elevation.getByRole('button', { name: 'Confirm password' }).click()
  await expect.poll(() => gateway.spoiled).toBe(1)
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  gateway.release()
  await expect(page.getByRole('button', { name: /^Elevated/ })).toBeVisible()
  // What follows from the elevation was sent before this, if anything was.
  await page.evaluate(() => fetch('/v1/session').then((answer) => answer.text()))
  expect(sent()).toBe(0)
})

test('a dialog whose answer has the only copy of a password waits for it', async ({
  page,
  gateway,
  running,
}) => {
  await openElevated(page, running, '/settings/users')
  await page.getByRole('button', { name: 'Add a user' }).click()
  const form = page.getByRole('dialog', { name: 'Add a user' })
  await form.getByLabel('User name').fill('awaited')
  gateway.fate = (path, body) => (path === '/v1/users' && !body.includes('"users":') ? 'hold' : 'pass')
  await form.getByRole('button', { name: 'Add the user' }).click()
  await expect.poll(() => gateway.spoiled).toBe(1)
  await page.keyboard.press('Escape')
  await expect(form).toContainText('This stays open until the answer arrives.')
  const cancel = form.getByRole('button', { name: 'Cancel' })
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await cancel.click({ force: true })
  gateway.release()
  const added = page.getByRole('dialog', { name: 'User added' })
  await expect(added.getByRole('status', { name: 'The password' })).toHaveText(/^\w{20}$/)
  await added.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a new lease: the answer is about the name that was sent, and the dialog waits for it', async ({
  page,
  gateway,
  running,
}) => {
  const { owner } = await running.hold('under-way/held')
  await signInByRequest(page, running)
  // The dialog hides the page's heading.
  await page.goto(`${running.url}/?new=1&name=under-way%2Fheld`)
  const form = page.getByRole('dialog', { name: 'New lease' })
  const name = form.getByLabel('Name', { exact: true })
  gateway.fate = (path, body) =>
    path.startsWith('/v1/locks/') && (body.includes('"lock-held"') || body.includes('"token"'))
      ? 'hold'
      : 'pass'
  await form.getByRole('button', { name: 'Acquire the lease' }).click()
  await expect.poll(() => gateway.spoiled).toBe(1)
  await name.fill('under-way/free')
  const hold = gateway.fate
  gateway.release()
  const link = form.getByRole('alert').getByRole('link', { name: 'Open the lease' })
  await expect(link).toHaveAttribute('href', /held/)

  gateway.fate = hold
  await form.getByRole('button', { name: 'Acquire the lease' }).click()
  await expect.poll(() => gateway.spoiled).toBe(2)
  await page.keyboard.press('Escape')
  await expect(form).toContainText('This stays open until the answer arrives.')
  gateway.release()
  await expect(page.getByRole('dialog', { name: 'Acquired' })).toContainText('under-way/free')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await running.free('under-way/held', owner)
})

test('a revoked token is not shown while the list is read again', async ({ page, gateway, running }) => {
  await running.api('POST', '/v1/tokens', { name: 'revoked', role: 'viewer', prefixes: ['revoked/'] })
  await openElevated(page, running, '/settings/tokens')
  const row = page.getByRole('table', { name: 'Tokens' }).getByRole('row').filter({ hasText: 'revoked/' })
  await row.getByRole('button', { name: /^Revoke/ }).click()
  gateway.fate = (path) => (path === '/v1/tokens' ? 'hold' : 'pass')
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Revoke the token' }).click()
  await untilDone(form, 'Revoke the token', page.getByRole('button', { name: 'Make a token' }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toHaveCount(0)
  gateway.release()
})

test('an elevation whose end lost its answer is over, and its error does not come back with the next one', async ({
  page,
  gateway,
  running,
}) => {
  await openElevated(page, running, '/settings/users')
  const badge = page.getByRole('button', { name: /^Elevated/ })
  gateway.fate = (path) => (path === '/v1/session/elevation' ? 'cut' : 'pass')
  await badge.click()
  await expect(badge).toHaveCount(0)
  gateway.release()
  await page.getByRole('button', { name: 'Add a user' }).click()
  const form = page.getByRole('dialog', { name: 'Add a user' })
  await form.getByLabel('User name').fill('again')
  await form.getByRole('button', { name: 'Add the user' }).click()
  const elevation = page.getByRole('dialog', { name: 'Confirm your password' })
  await elevation.getByLabel('Password of admin').fill(admin.password)
  await elevation.getByRole('button', { name: 'Confirm password' }).click()
  const added = page.getByRole('dialog', { name: 'User added' })
  await untilDone(form, 'Add the user', added)
  await added.getByRole('button', { name: 'Done' }).click()
  await expect(badge).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'ended' })).toHaveCount(0)
})
