import type { Page } from '@playwright/test'
import { grantTwice, grantTwiceNoMore } from '../../lib/leasehold/test/lying-table.ts'
import { test as bare, expect, openSignedIn } from '../console/console.ts'
import { driver, type RunningConsole, startConsole } from '../console/running-console.ts'
import { browserOf } from '../releases/releasing.ts'
import { take } from './camera.ts'
import { test } from './demo.ts'

const password = 'a password of a picture'

async function elevated(page: Page, { url }: RunningConsole, secret: string): Promise<void> {
  const headers = { origin: url }
  await page.request.post(`${url}/v1/session/elevation`, { data: { password: secret }, headers })
}

test('account, users, tokens, and what is shown once', async ({ page, running }) => {
  await running.api('POST', '/v1/users', { username: 'nora', password, role: 'viewer' })
  await running.api('POST', '/v1/users', { username: 'otto', password, role: 'operator' })
  await running.api('POST', '/v1/tokens', {
    name: 'billing in CI',
    role: 'viewer',
    prefixes: ['billing/', 'reports/'],
  })
  await page.goto(`${running.url}/settings/account`)
  await expect(page.getByLabel('Current password')).toBeVisible()
  await take(page, 'settings-account')
  await page.goto(`${running.url}/settings/users`)
  await expect(page.getByText(/, read \d/)).toBeVisible()
  await take(page, 'settings-users')
  await page.goto(`${running.url}/settings/users?add=1`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await take(page, 'settings-users-add', 'dialog')
  for (const act of ['role', 'password', 'disable']) {
    await page.goto(`${running.url}/settings/users?do=${act}&user=nora`)
    await expect(page.getByRole('dialog')).toBeVisible()
    await take(page, `settings-users-${act}`, 'dialog')
  }
  await page.goto(`${running.url}/settings/tokens`)
  await expect(page.getByText(/, read \d/)).toBeVisible()
  await take(page, 'settings-tokens')
  await page.goto(`${running.url}/settings/tokens?new=1`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await take(page, 'settings-tokens-new', 'dialog')
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('reports in CI')
  await page.getByRole('button', { name: 'Make the token' }).click()
  await expect(page.getByText('Enter a prefix, or choose “Every name”.')).toBeVisible()
  await take(page, 'settings-tokens-new-wrong', 'dialog')
  await page.getByRole('textbox', { name: 'Prefix 1' }).fill('reports/')
  await page.getByRole('button', { name: 'Make the token' }).click()
  const elevation = page.getByRole('dialog', { name: 'Confirm your password' })
  const made = page.getByRole('dialog', { name: 'Token made' })
  await expect(elevation.or(made).first()).toBeVisible()
  if (await elevation.isVisible()) {
    await take(page, 'settings-elevation', 'dialog')
    await elevation.getByLabel('Password of admin').fill('correct horse battery')
    await elevation.getByRole('button', { name: 'Confirm password' }).click()
  }
  await expect(made).toBeVisible()
  await take(page, 'settings-token-made', 'dialog')
  await page.keyboard.press('Escape')
  await expect(made.getByText('Close without copying the token?')).toBeVisible()
  await take(page, 'settings-token-made-close', 'dialog')
  const { body } = await running.api('GET', '/v1/tokens')
  await page.goto(`${running.url}/settings/tokens?revoke=${body.tokens[0].id}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await take(page, 'settings-token-revoke', 'dialog')
  await page.goto(`${running.url}/settings/users?add=1`)
  await page.getByRole('dialog').getByLabel('User name').fill('vito')
  await page.getByRole('button', { name: 'Add the user' }).click()
  await expect(page.getByRole('dialog', { name: 'User added' })).toBeVisible()
  await take(page, 'settings-user-added', 'dialog')
})

test('account of a viewer, and what a viewer may not open', async ({ browser, running }) => {
  const vivi = { username: 'vivi', password }
  await running.api('POST', '/v1/users', { ...vivi, role: 'viewer' })
  const page = await browserOf(browser, running, vivi, '/settings/account')
  await take(page, 'settings-account-viewer')
  await page.getByLabel('Current password').fill('not the password')
  await page.getByLabel('New password', { exact: true }).fill('another password')
  await page.getByLabel('Repeat the new password').fill('another passwort')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByText('The two passwords differ.')).toBeVisible()
  await take(page, 'settings-account-wrong')
  await page.goto(`${running.url}/settings/users`)
  await take(page, 'settings-users-not-allowed')
  await page.context().close()
})

bare('the doctor, and a table that grants a lease twice', async ({ browser }) => {
  const running = await startConsole()
  const page = await (await browser.newContext()).newPage()
  const client = await driver()
  try {
    // The fault hides owners that were written before: by its value the row is still there.
    const owner = 'ip-10-0-3-17:4122:4c1be07d59a2:2a'
    await running.hold('kept/one', { owner, ttlSeconds: 600, value: 'page=12' })
    await openSignedIn(page, running, '/settings/doctor')
    await elevated(page, running, 'correct horse battery')
    await expect(page.getByRole('row').filter({ hasText: 'Replication' })).toBeVisible()
    await take(page, 'doctor')
    const table = `${running.keyspace}.leases`
    await grantTwice(client, table)
    await expect(page.getByText('Mend this first')).toBeVisible({ timeout: 60_000 })
    await take(page, 'doctor-failed')
    await page.goto(running.url)
    await expect(page.getByRole('region', { name: 'Alarm of the table leases' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'kept/one' })).toBeVisible()
    await take(page, 'list-canary-failed', 'window')
    await grantTwiceNoMore(client, table)
  } finally {
    await client.shutdown()
    await page.context().close()
    await running.stop()
  }
})
