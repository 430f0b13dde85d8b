import type { Locator, Page } from '@playwright/test'
import { busyIn, expect, openPage, pressSignIn, pressUntil, signIn, test } from '../console/console.ts'
import { admin, startConsole } from '../console/running-console.ts'
import { workers } from '../console/workers.ts'

/** Presses the button, up to what follows. */
function setPassword(page: Page, answer: Locator): Promise<void> {
  const button = page.getByRole('button', { name: 'Set the password and sign in' })
  return pressUntil(() => button.click(), answer, busyIn(page))
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
    const signsIn = page.getByRole('button', { name: 'Sign in', exact: true })
    await pressUntil(() => signsOut.click(), signsIn, busyIn(page))
    await expect(page).toHaveURL(/\/sign-in/)
    await page.goto(`${running.url}/leases/wanted%2Flease`)
    await expect(page).toHaveURL(/\/sign-in\?next=/)
    await page.getByLabel('User name').fill('no-one')
    await page.getByLabel('Password').fill('wrong password')
    const wrong = page.getByText('Wrong user name or password.')
    await pressUntil(() => signsIn.click(), wrong, busyIn(page))
    await page.getByLabel('User name').fill(admin.username)
    await page.getByLabel('Password').fill(admin.password)
    const heading = page.getByRole('heading', { name: 'wanted/lease' })
    await pressUntil(() => page.keyboard.press('Enter'), heading, busyIn(page))
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
