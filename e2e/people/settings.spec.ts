import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, Page } from '@playwright/test'
import { testContactPoint, testCredentialsEnvironment } from '../../lib/leasehold/test/node-session.ts'
import { expectAccessible } from '../browser/axe.ts'
import {
  busyIn,
  expect,
  openPage,
  openSignedIn,
  pressUntil,
  rowOf,
  test,
  untilDone,
} from '../console/console.ts'
import { admin, auditKeyOf, type RunningConsole, startConsole } from '../console/running-console.ts'
import { elevate } from './elevate.ts'

const password = 'a password of a test'

/** A second person, in a browser of their own. */
async function signInAs(
  browser: Browser,
  running: RunningConsole,
  username: string,
  secret = password,
): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await openSignedIn(page, running, '/', { username, password: secret })
  return page
}

const userRow = (page: Page, username: string) =>
  page
    .getByRole('table', { name: 'Users' })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: username, exact: true }) })

test('an admin adds a viewer, who sees no action that a viewer may not do', async ({
  page,
  running,
  browser,
}) => {
  const { owner } = await running.hold('seen/by-viewer')
  await openPage(page, running)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('button', { name: 'Add a user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a user' })
  await dialog.getByLabel('User name').fill('-vera')
  await dialog.getByRole('button', { name: 'Add the user' }).click()
  await expect(dialog.getByText(/begins with a letter or a digit/)).toBeVisible()
  await dialog.getByLabel('User name').fill('vera')
  await dialog.getByRole('button', { name: 'Add the user' }).click()
  // What was being done goes on after the elevation.
  await elevate(page)
  const added = page.getByRole('dialog', { name: 'User added' })
  await untilDone(dialog, 'Add the user', added)
  const secret = (await added.getByRole('status', { name: 'The password' }).textContent()) as string
  expect(secret).toMatch(/^\w{20}$/)
  await added.getByRole('button', { name: 'Done' }).click()
  await expect(userRow(page, 'vera')).toContainText('viewer')
  // The focus is back where it was.
  await expect(page.getByRole('button', { name: 'Add a user' })).toBeFocused()

  const vera = await signInAs(browser, running, 'vera', secret)
  await expect(rowOf(vera, 'seen/by-viewer')).toBeVisible()
  await expect(vera.getByRole('button', { name: /^Release/ })).toHaveCount(0)
  await expect(vera.getByRole('link', { name: 'Audit', exact: true })).toHaveCount(0)
  await vera.getByRole('link', { name: 'Settings' }).click()
  await expect(vera.getByRole('heading', { name: /My account/ })).toBeVisible()
  await expect(vera.getByRole('link', { name: 'Users' })).toHaveCount(0)
  await expect(vera.getByRole('link', { name: 'Tokens' })).toHaveCount(0)
  await vera.goto(`${running.url}/settings/users`)
  await expect(vera.getByRole('heading', { name: 'This is for admins.' })).toBeVisible()
  await vera.goto(`${running.url}/audit`)
  await expect(vera.getByRole('heading', { name: 'This is for operators and admins.' })).toBeVisible()

  // Another role, without signing in again.
  await userRow(page, 'vera')
    .getByRole('button', { name: /^Change role/ })
    .click()
  const role = page.getByRole('dialog', { name: /Change the role of vera/ })
  await role.getByRole('radio', { name: /^operator/ }).check()
  await role.getByRole('button', { name: 'Make them an operator' }).click()
  await untilDone(role, 'Make them an operator', userRow(page, 'vera').filter({ hasText: 'operator' }))
  await vera.reload()
  await expect(vera.getByRole('table', { name: 'Audit log' })).toBeVisible()

  // Disabled: what they have open ends, without a click of theirs.
  await vera.goto(running.url)
  await expect(rowOf(vera, 'seen/by-viewer')).toBeVisible()
  await userRow(page, 'vera')
    .getByRole('button', { name: /^Disable/ })
    .click()
  const disable = page.getByRole('dialog', { name: 'Disable vera' })
  await expect(disable).toContainText('Their sessions and open requests end at once.')
  await disable.getByRole('button', { name: 'Disable the user' }).click()
  await untilDone(disable, 'Disable the user', userRow(page, 'vera').filter({ hasText: 'disabled' }))
  await expect(vera).toHaveURL(/\/sign-in/)
  await vera.context().close()
  await running.free('seen/by-viewer', owner)
})

test('the last admin cannot be lost, and one’s own row is marked', async ({ page, running }) => {
  await page.goto(`${running.url}/settings/users`)
  const own = userRow(page, 'admin')
  await expect(own).toContainText('you')
  for (const name of [/^Change role/, /^Disable/]) {
    const button = own.getByRole('button', { name })
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(button).toHaveAttribute('title', /the last admin/)
    await button.click({ force: true })
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('a token is shown once, is good for its prefixes, and ends when it is revoked', async ({
  page,
  running,
}) => {
  await page.goto(`${running.url}/settings/tokens`)
  await page.getByRole('button', { name: 'Make a token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a token' })
  await dialog.getByLabel('Name', { exact: true }).fill('billing in CI')
  await dialog.getByRole('button', { name: 'Make the token' }).click()
  await expect(dialog.getByText('Enter a prefix, or choose “Every name”.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Prefix 1' }).fill('billing/')
  await dialog.getByRole('button', { name: 'Add a prefix' }).click()
  await dialog.getByRole('textbox', { name: 'Prefix 2' }).fill('reports/')
  await dialog.getByRole('button', { name: 'Make the token' }).click()
  await elevate(page)
  const made = page.getByRole('dialog', { name: 'Token made' })
  await untilDone(dialog, 'Make the token', made)
  const token = (await made.getByRole('status', { name: 'The token' }).textContent()) as string
  expect(token).toMatch(/^lh_/)
  await expect(made.getByText(/curl -X PUT .*billing%2Fexample/)).toBeVisible()
  await expect(made).toContainText('You won’t see it again after you close this.')
  // Esc asks first, a second Esc goes on; so does going back.
  await page.keyboard.press('Escape')
  await expect(made.getByText('Close without copying the token?')).toBeVisible()
  await expect(made.getByRole('button', { name: 'Keep it open' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(made.getByRole('button', { name: 'Done' })).toBeFocused()
  await page.goBack()
  await expect(made.getByRole('status', { name: 'The token' })).toHaveText(token)
  await page.keyboard.press('Escape')
  await made.getByRole('button', { name: 'Keep it open' }).click()
  await expect(made.getByRole('status', { name: 'The token' })).toHaveText(token)
  await made.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(token)).toHaveCount(0)

  const put = async (name: string) => {
    const statusOf = async () => {
      const { status } = await fetch(`${running.url}/v1/locks/${encodeURIComponent(name)}`, {
        method: 'PUT',
        // A connection that is kept is closed by the console after five seconds.
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: '{ "ttlSeconds": 30 }',
      })
      return status
    }
    let status = await statusOf()
    // While Cassandra is too busy to answer it is 503.
    for (let tries = 1; status === 503 && tries < 10; tries++) status = await statusOf()
    return status
  }
  expect(await put('billing/run')).toBe(201)
  expect(await put('reports/nightly')).toBe(201)
  expect(await put('other/run')).toBe(403)
  const row = page
    .getByRole('table', { name: 'Tokens' })
    .getByRole('row')
    .filter({ hasText: 'billing in CI' })
  await expect(row).toContainText('within 2 min')

  await row.getByRole('button', { name: /^Revoke/ }).click()
  const revoke = page.getByRole('dialog', { name: 'Revoke billing in CI' })
  await expect(revoke).toContainText('Programs using this token are refused at once.')
  await revoke.getByRole('button', { name: 'Revoke the token' }).click()
  await untilDone(revoke, 'Revoke the token', page.getByRole('button', { name: 'Make a token' }))
  // Another test may have left a token of its own.
  await expect(revoke).toHaveCount(0)
  await expect(row).toHaveCount(0)
  expect(await put('billing/run')).toBe(401)
})

test('a secret that was copied closes with Esc', async ({ page, running, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${running.url}/settings/tokens?new=1`)
  const dialog = page.getByRole('dialog', { name: 'Make a token' })
  await dialog.getByLabel('Name', { exact: true }).fill('copied')
  await dialog.getByRole('textbox', { name: 'Prefix 1' }).fill('copied/')
  await dialog.getByRole('button', { name: 'Make the token' }).click()
  const made = page.getByRole('dialog', { name: 'Token made' })
  const elevation = page.getByRole('dialog', { name: 'Confirm your password' })
  await untilDone(dialog, 'Make the token', made.or(elevation))
  if (await elevation.isVisible()) await elevate(page)
  await untilDone(dialog, 'Make the token', made)
  // The page says so for two seconds only.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      if (!document.body.innerText.includes('Copied')) return
      observer.disconnect()
      document.documentElement.dataset.saidCopied = ''
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await made.getByRole('button', { name: 'Copy the token' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-said-copied')
  await page.keyboard.press('Escape')
  await expect(made).toHaveCount(0)
})

test('a new password that is shown stays when one goes back', async ({ page, running }) => {
  await running.addUser({ username: 'nora', password, role: 'viewer' })
  await page.goto(`${running.url}/settings/users`)
  await userRow(page, 'nora')
    .getByRole('button', { name: /^New password/ })
    .click()
  const form = page
    .getByRole('dialog')
    .filter({ has: page.getByRole('button', { name: 'Set the password' }) })
  await form.getByRole('button', { name: 'Set the password' }).click()
  const done = page.getByRole('dialog', { name: 'New password set' })
  const elevation = page.getByRole('dialog', { name: 'Confirm your password' })
  await untilDone(form, 'Set the password', done.or(elevation))
  if (await elevation.isVisible()) await elevate(page)
  await untilDone(form, 'Set the password', done)
  const shown = done.getByRole('status', { name: 'The password' })
  await expect(shown).toHaveText(/^\w{20}$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/settings\/users$/)
  await expect(shown).toHaveText(/^\w{20}$/)
  await done.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('one’s own password is changed, and every other session ends with it', async ({ running, browser }) => {
  await running.addUser({ username: 'paula', password, role: 'operator' })
  const paula = await signInAs(browser, running, 'paula')
  const elsewhere = await signInAs(browser, running, 'paula')
  await paula.goto(`${running.url}/settings/account`)
  await paula.getByLabel('Current password').fill('not the password')
  await paula.getByLabel('New password', { exact: true }).fill('another password')
  await paula.getByLabel('Repeat the new password').fill('another passwort')
  await paula.getByRole('button', { name: 'Change the password' }).click()
  await expect(paula.getByText('The two passwords differ.')).toBeVisible()
  await paula.getByLabel('Repeat the new password').fill('another password')
  await paula.getByRole('button', { name: 'Change the password' }).click()
  const form = paula.getByRole('main')
  await untilDone(form, 'Change the password', paula.getByText('Wrong password.'))
  await paula.getByLabel('Current password').fill(password)
  await paula.getByRole('button', { name: 'Change the password' }).click()
  await untilDone(form, 'Change the password', paula.getByText('Your password was changed.'))
  await expect(elsewhere).toHaveURL(/\/sign-in/)

  const again = await signInAs(browser, running, 'paula', 'another password')
  const signsOut = paula.getByRole('button', { name: 'Sign out everywhere' })
  const signsIn = paula.getByRole('button', { name: 'Sign in', exact: true })
  await pressUntil(() => signsOut.click(), signsIn, busyIn(paula))
  await expect(paula).toHaveURL(/\/sign-in/)
  await expect(again).toHaveURL(/\/sign-in/)
  for (const { context } of [paula, elsewhere, again].map((page) => ({ context: page.context() })))
    await context.close()
})

test('axe finds nothing serious in the settings, at 1440 and at 390', async ({ page, running }) => {
  await running.addUser({ username: 'axe', password, role: 'viewer' })
  await running.api('POST', '/v1/tokens', { name: 'axe', role: 'viewer', prefixes: ['a/', 'b/'] })
  const { body } = await running.api('GET', '/v1/tokens')
  const of = (act: string) => `/settings/users?do=${act}&user=axe`
  const paths = [
    '/settings/account',
    '/settings/users',
    '/settings/users?add=1',
    ...['role', 'password', 'disable', 'enable'].map(of),
    '/settings/tokens',
    '/settings/tokens?new=1',
    `/settings/tokens?revoke=${body.tokens[0].id}`,
  ]
  for (const path of paths) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(running.url + path)
    await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeAttached()
    if (path.includes('?')) await expect(page.getByRole('dialog')).toBeVisible()
    else if (!path.endsWith('account')) await expect(page.getByText(/, read \d/)).toBeVisible()
    await expectAccessible(page, `${path} at 1440`)
    await page.setViewportSize({ width: 390, height: 900 })
    await expectAccessible(page, `${path} at 390`)
  }
})

test('one person with two accounts is named, and the account that sign-ins do not use can be disabled', async ({
  browser,
}) => {
  const own = await startConsole()
  try {
    // As two consoles make them for a person whose first sign-ins come at the same moment, under two names.
    for (const username of ['elder', 'younger'])
      await promisify(execFile)(
        process.execPath,
        [
          'scripts/user.mjs',
          'add',
          username,
          '--role',
          'operator',
          '--subject',
          'https://idp.example 1',
          '--repair',
        ],
        {
          env: {
            ...process.env,
            ...testCredentialsEnvironment(),
            CASSANDRA_CONTACT_POINTS: testContactPoint(),
            CASSANDRA_KEYSPACE: own.keyspace,
            LEASEHOLD_AUDIT_KEY: auditKeyOf(own.keyspace),
          },
        },
      )
    const page = await signInAs(browser, own, admin.username, admin.password)
    await page.goto(`${own.url}/settings/users`)
    const alarm = page.getByRole('alert').filter({ hasText: 'elder and younger are accounts of one person.' })
    await expect(alarm).toContainText('Sign-ins use elder')
    await expect(userRow(page, 'elder')).toContainText('same person as younger')
    await userRow(page, 'younger').getByRole('button', { name: 'Disable…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disable younger' })
    await expect(dialog).toContainText('The person of this account signs in as elder, and still can.')
    await dialog.getByRole('button', { name: 'Disable the user' }).click()
    await elevate(page)
    await untilDone(dialog, 'Disable the user', userRow(page, 'younger').filter({ hasText: 'disabled' }))
    await expect(alarm).toHaveCount(0)
    await expect(userRow(page, 'elder')).not.toContainText('same person')
    await page.context().close()
  } finally {
    await own.stop()
  }
})
