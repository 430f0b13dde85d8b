/** The server acted and its answer was lost: the form says so, and sends nothing a second time where that would act twice. */
import type { Locator } from '@playwright/test'
import { test } from '../console/behind-gateway.ts'
import {
  busyIn,
  counted,
  expect,
  openElevated,
  openSignedIn,
  pressUntil,
  signInByRequest,
  untilDone,
} from '../console/console.ts'
import type { Fate } from '../console/gateway.ts'

/** An answer is lost. One of a console that did nothing, because Cassandra was too busy, is not: the page says so, and it is sent again. */
const cutOf = (body: string): Fate => (body.includes('"status":503,') ? 'pass' : 'cut')
const said = (form: Locator, words: string) => form.getByRole('alert').filter({ hasText: words })

/** The button is locked, says why, and neither it nor Enter sends anything. */
async function sendsNothing(form: Locator, act: string, why: string, sent: () => number): Promise<void> {
  const before = sent()
  const button = form.getByRole('button', { name: act })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(form).toContainText(why)
  await button.click({ force: true })
  await form.getByRole('textbox').first().press('Enter')
  // A text that is changed does not make the outcome known.
  await form.getByRole('textbox').first().fill('other')
  await form.getByRole('textbox').first().press('Enter')
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  expect(sent()).toBe(before)
}

test('a user whose addition lost its answer: the form locks, and the list shows the user', async ({
  page,
  gateway,
  running,
}) => {
  await openElevated(page, running, '/settings/users')
  await page.getByRole('button', { name: 'Add a user' }).click()
  const form = page.getByRole('dialog', { name: 'Add a user' })
  await form.getByLabel('User name').fill('doubt')
  const sent = counted(page, 'POST', /^\/v1\/users$/)
  gateway.fate = (path, body) => (path === '/v1/users' && !body.includes('"users":') ? cutOf(body) : 'pass')
  await form.getByRole('button', { name: 'Add the user' }).click()
  await untilDone(form, 'Add the user', said(form, 'The user may have been added.'))
  expect(gateway.spoiled).toBeGreaterThan(0)
  gateway.release()
  await sendsNothing(form, 'Add the user', 'Close this and read the list.', sent)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('link', { name: 'doubt' })).toBeVisible()
  // A new form knows nothing of the old one.
  await page.getByRole('button', { name: 'Add a user' }).click()
  await expect(form.getByRole('button', { name: 'Add the user' })).not.toHaveAttribute(
    'aria-disabled',
    'true',
  )
})

test('an elevation that the page has not read yet is not asked for again', async ({
  page,
  gateway,
  running,
}) => {
  gateway.fate = (path, body) =>
    path === '/v1/session' && body.includes('"elevatedUntil":"') ? 'hold' : 'pass'
  await openElevated(page, running, '/settings/users')
  await page.getByRole('button', { name: 'Add a user' }).click()
  const form = page.getByRole('dialog', { name: 'Add a user' })
  await form.getByLabel('User name').fill('early')
  await form.getByRole('button', { name: 'Add the user' }).click()
  await untilDone(form, 'Add the user', page.getByRole('dialog', { name: 'User added' }))
  await expect.poll(() => gateway.spoiled).toBeGreaterThan(0)
})

test('a token whose making lost its answer: the form locks, and the list shows the token', async ({
  page,
  gateway,
  running,
}) => {
  await openElevated(page, running, '/settings/tokens')
  await page.getByRole('button', { name: 'Make a token' }).click()
  const form = page.getByRole('dialog', { name: 'Make a token' })
  await form.getByLabel('Name', { exact: true }).fill('doubt')
  await form.getByRole('textbox', { name: 'Prefix 1' }).fill('doubt/')
  const sent = counted(page, 'POST', /^\/v1\/tokens$/)
  gateway.fate = (path, body) => (path === '/v1/tokens' && !body.includes('"tokens":') ? cutOf(body) : 'pass')
  await form.getByRole('button', { name: 'Make the token' }).click()
  await untilDone(form, 'Make the token', said(form, 'The token may have been made.'))
  // The browser may have sent it again by itself, once for each connection that it had: still one token is made.
  expect(gateway.spoiled).toBeGreaterThan(0)
  gateway.release()
  await sendsNothing(form, 'Make the token', 'Revoke a token of this name', sent)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('table', { name: 'Tokens' }).getByRole('row', { name: /doubt/ })).toHaveCount(1)
})

test('a password whose setting lost its answer: set again, the last one signs in', async ({
  page,
  gateway,
  running,
}) => {
  await running.addUser({ username: 'twice', password: 'the first password', role: 'viewer' })
  await openElevated(page, running, '/settings/users')
  const row = page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: 'twice' })
  await row.getByRole('button', { name: /^New password/ }).click()
  const form = page.getByRole('dialog')
  gateway.fate = (path, body) => (path === '/v1/users/twice/password' ? cutOf(body) : 'pass')
  await form.getByRole('button', { name: 'Set the password' }).click()
  await untilDone(form, 'Set the password', said(form, 'The password may have been set.'))
  await expect(form.getByRole('alert')).toContainText('only the last one counts')
  gateway.release()
  await form.getByRole('button', { name: 'Set the password' }).click()
  const done = page.getByRole('dialog', { name: 'New password set' })
  await untilDone(form, 'Set the password', done)
  const password = (await done.getByRole('status', { name: 'The password' }).textContent()) as string
  await signInByRequest(page, running, { username: 'twice', password })
})

test('the own password whose change lost its answer: the page leads to the sign-in, and the new one is valid', async ({
  page,
  gateway,
  running,
}) => {
  const user = { username: 'olga', password: 'the first password' }
  await running.addUser({ ...user, role: 'viewer' })
  await openSignedIn(page, running, '/settings/account', user)
  gateway.fate = (path, body) => (path === '/v1/session/password' ? cutOf(body) : 'pass')
  await page.getByLabel('Current password').fill(user.password)
  await page.getByLabel('New password', { exact: true }).fill('the second password')
  await page.getByLabel('Repeat the new password').fill('the second password')
  const ended = page.waitForURL(/\/sign-in/)
  const change = () => page.getByRole('button', { name: 'Change the password' }).click()
  await pressUntil(change, page.getByLabel('User name'), busyIn(page))
  // The new session was in the lost answer, and the old one is over.
  await ended
  gateway.release()
  await page.getByLabel('User name').fill(user.username)
  await page.getByLabel('Password').fill('the second password')
  const signIn = () => page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await pressUntil(signIn, page.getByRole('navigation', { name: 'Main' }), busyIn(page))
})
