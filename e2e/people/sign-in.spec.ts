import type { Locator, Page } from '@playwright/test'
import { expect, openPage, pressSignIn, signIn, test } from '../console/console.ts'
import { admin, startConsole } from '../console/running-console.ts'
import { workers } from '../console/workers.ts'

/** Presses the button. While Cassandra is too busy to answer it is refused, and may be pressed again. */
async function setPassword(page: Page, answer: Locator): Promise<void> {
  const button = page.getByRole('button', { name: 'Set the password and sign in' })
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 10_000 })
    await expect(answer).toBeVisible({ timeout: 20_000 })
  }).toPass({ timeout: 120_000 })
}

workers(
  'the one-time link sets the first password, works once, and nothing is reachable before',
  async ({ page }) => {
    const running = await startConsole({ env: { LEASEHOLD_ADMIN_PASSWORD: '' } })
    try {
      const link = running.lines
        .find((line) => line.startsWith('sign-in link: '))
        ?.slice('sign-in link: '.length) as string
      expect(link).toContain(`${running.url}/setup#`)
      await page.goto(running.url)
      await expect(page).toHaveURL(/\/sign-in/)
      await page.goto(link)
      await page.getByLabel('New password', { exact: true }).fill('short')
      await page.getByLabel('Repeat the new password').fill('short')
      await page.getByRole('button', { name: 'Set the password and sign in' }).click()
      await expect(page.getByText('The password is shorter than 10 characters.')).toBeVisible()
      await page.getByLabel('New password', { exact: true }).fill(admin.password)
      await page.getByLabel('Repeat the new password').fill(`${admin.password}!`)
      await page.getByRole('button', { name: 'Set the password and sign in' }).click()
      await expect(page.getByText('The two passwords differ.')).toBeVisible()
      await page.getByLabel('Repeat the new password').fill(admin.password)
      await setPassword(page, page.getByRole('heading', { name: 'No leases yet.' }))
      // Once. Away first: a live page that loses its session leads itself to the sign-in.
      await page.goto('about:blank')
      await page.context().clearCookies()
      await page.goto(link)
      await page.getByLabel('New password', { exact: true }).fill('another password')
      await page.getByLabel('Repeat the new password').fill('another password')
      await setPassword(page, page.getByText('This link is incomplete, or no longer works.'))
      await expect(page.getByText('npm run user -- passwd admin')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/sign-in')
      await signIn(page, running)
    } finally {
      await running.stop()
    }
  },
)

test.describe('signing in', () => {
  test('leads back to the requested page, and signs out again', async ({ page, running }) => {
    await running.hold('wanted/lease')
    await openPage(page, running)
    await page.getByRole('button', { name: /admin, admin/ }).click()
    const signsOut = page.getByRole('menuitem', { name: 'Sign out', exact: true })
    await expect(async () => {
      if ((await signsOut.count()) > 0) await signsOut.click({ timeout: 10_000 })
      await expect(page).toHaveURL(/\/sign-in/, { timeout: 20_000 })
    }).toPass({ timeout: 120_000 })
    await page.goto(`${running.url}/leases/wanted%2Flease`)
    await expect(page).toHaveURL(/\/sign-in\?next=/)
    await page.getByLabel('User name').fill('no-one')
    await page.getByLabel('Password').fill('wrong password')
    // While Cassandra is too busy to answer, here and below, it says so instead, and may be pressed again.
    await expect(async () => {
      await page.getByRole('button', { name: 'Sign in' }).click({ timeout: 10_000 })
      await expect(page.getByText('Wrong user name or password.')).toBeVisible({ timeout: 10_000 })
    }).toPass({ timeout: 120_000 })
    await page.getByLabel('User name').fill(admin.username)
    await page.getByLabel('Password').fill(admin.password)
    const heading = page.getByRole('heading', { name: 'wanted/lease' })
    await expect(async () => {
      if (await page.getByLabel('Password').isVisible()) await page.keyboard.press('Enter')
      await expect(heading).toBeVisible({ timeout: 20_000 })
    }).toPass({ timeout: 120_000 })
  })

  test('does not lead to another site', async ({ page, running }) => {
    await page.context().clearCookies()
    for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example']) {
      await page.goto(`${running.url}/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByLabel('User name').fill(admin.username)
      await page.getByLabel('Password').fill(admin.password)
      await pressSignIn(page)
      // Signed in, on a page of the console.
      await expect(page.getByRole('button', { name: /admin, admin/ })).toBeVisible()
      expect(new URL(page.url()).origin).toBe(running.url)
      // Away first: a live page that loses its session leads itself to the sign-in.
      await page.goto('about:blank')
      await page.context().clearCookies()
    }
  })

  test('is asked for again when the session ended elsewhere', async ({ page, running }) => {
    await openPage(page, running)
    await page.context().clearCookies()
    await expect(page).toHaveURL(/\/sign-in/)
  })
})
