import type { Page } from '@playwright/test'
import { expectAccessible } from '../browser/axe.ts'
import { expect, pressSignIn } from '../console/console.ts'
import { admin, type RunningConsole } from '../console/running-console.ts'
import { type SsoProvider, signInAtProvider } from '../console/sso-provider.ts'
import { workers } from '../console/workers.ts'

const test = workers.extend<{ provider: SsoProvider; running: RunningConsole }>({
  provider: ({ singleSignOn }, use) => use(singleSignOn.provider),
  running: ({ singleSignOn }, use) => use(singleSignOn.running),
})

const ssoLink = (page: Page) => page.getByRole('link', { name: 'Sign in with Example SSO' })
const userButton = (page: Page, text: string) => page.getByRole('button', { name: text })

async function signInBySso(page: Page, { url }: RunningConsole, login: string, path = '/'): Promise<void> {
  await page.goto(url + path)
  await ssoLink(page).click()
  await signInAtProvider(page, login)
}

/** As another person, in another browser. */
const forgetAll = (page: Page) => page.context().clearCookies()

test('leads through the provider to the page that was asked for, with the role of the claim', async ({
  page,
  provider,
  running,
}) => {
  provider.roles.set('ada', ['staff', 'leasehold:operator'])
  await running.hold('sso/wanted')
  await signInBySso(page, running, 'ada', '/leases/sso%2Fwanted')
  await expect(page.getByRole('heading', { name: 'sso/wanted' })).toBeVisible()
  await expect(userButton(page, 'ada, operator')).toBeVisible()
  // Signing out is local: the provider still knows who this is, and asks nothing.
  await userButton(page, 'ada, operator').click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  provider.roles.set('ada', 'viewer')
  await ssoLink(page).click()
  // The role of the next sign-in is the claim's of then.
  await expect(userButton(page, 'ada, viewer')).toBeVisible()
})

test('refuses a person without a role, and says so', async ({ page, running }) => {
  await signInBySso(page, running, 'nobody-in-particular')
  await expect(page.getByText('You have no role here.')).toBeVisible()
  await page.goto(running.url)
  await expect(page).toHaveURL(/\/sign-in/)
})

test('refuses a person who is disabled here, with any role of the provider', async ({
  page,
  provider,
  running,
}) => {
  provider.roles.set('leaver', 'operator')
  await signInBySso(page, running, 'leaver')
  await expect(userButton(page, 'leaver, operator')).toBeVisible()
  await running.api('POST', '/v1/session/elevation', { password: admin.password })
  const { status } = await running.api('PUT', '/v1/users/leaver', { disabled: true })
  expect(status).toBe(200)
  // At once: the open page notices, and says calmly why.
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  await ssoLink(page).click()
  await expect(page.getByText('Your user is disabled.')).toBeVisible()
})

test('elevates the person who signs in again, and no other; the header counts down', async ({
  page,
  provider,
  running,
}) => {
  provider.roles.set('grace', 'operator')
  provider.roles.set('mallory', 'admin')
  const { owner } = await running.hold('sso/elevated')
  const release = '/leases/sso%2Felevated?release=1'
  await signInBySso(page, running, 'grace', release)
  const dialog = page.getByRole('dialog', { name: 'Release sso/elevated' })
  const badge = page.locator('.elev')
  await dialog.getByRole('radio', { name: 'Break' }).check()
  await dialog.getByRole('button', { name: 'Sign in again…' }).click()
  const asking = page.getByRole('dialog', { name: 'Sign in again' })
  await expect(asking).toContainText('for 10 minutes')
  await asking.getByRole('button', { name: 'Sign in again' }).click()
  // The provider asks again, although it knows who this is, and leads back to where it was asked.
  await signInAtProvider(page, 'grace')
  await expect(dialog).toBeVisible()
  expect(page.url()).toBe(running.url + release)
  await expect(badge).toHaveText(/Elevated (10:00|9:\d\d)/)
  await page.goto(running.url)
  await page.getByRole('button', { name: /^Elevated \d+:\d\d/ }).click()
  await expect(badge).toHaveCount(0)
  // Another person at the provider.
  await page.goto(`${running.url}/v1/sso?elevate=true`)
  await signInAtProvider(page, 'mallory')
  await expect(page.getByText('You were not elevated.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to the page you were on' }).click()
  await expect(userButton(page, 'grace, operator')).toBeVisible()
  await expect(badge).toHaveCount(0)
  await running.free('sso/elevated', owner)
})

test('never takes over a user with a password here', async ({ page, provider, running }) => {
  provider.roles.set(admin.username, 'admin')
  await signInBySso(page, running, admin.username)
  await expect(page.getByText('Another user has your name here.')).toBeVisible()
})

test('says so when the answer belongs to no sign-on of this browser', async ({ page, provider, running }) => {
  provider.roles.set('ada', 'operator')
  await page.goto(running.url)
  await ssoLink(page).click()
  await expect(page).toHaveURL(/\/interaction\//)
  const cookies = await page.context().cookies()
  const flow = cookies.find(({ name }) => name.startsWith('leasehold-sso-'))
  expect(flow).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/v1/sso' })
  await page.context().clearCookies({ name: flow?.name ?? '' })
  await signInAtProvider(page, 'ada')
  await expect(page.getByText('This sign-on has expired.')).toBeVisible()
  expect(new URL(page.url()).search).toBe('?error=sso-expired')
})

test('a wait after too many attempts counts down on the button', async ({ page, running }) => {
  // Longer than all of its waits together.
  test.setTimeout(1_800_000)
  await page.goto(`${running.url}/sign-in`)
  await page.getByLabel('User name').fill('no-one')
  const button = page.getByRole('button', { name: /Sign in|Try again in/ })
  const press = async () => {
    const answered = page.waitForResponse(/\/v1\/session$/)
    await button.click()
    return (await answered).status()
  }
  // While Cassandra is too busy to answer it is 503, which is no attempt.
  const answer = async () => {
    let status = await press()
    for (let tries = 1; status === 503 && tries < 10; tries++) status = await press()
    return status
  }
  for (let i = 0; i < 5; i++) {
    await page.getByLabel('Password').fill(`wrong ${i}`)
    expect(await answer()).toBe(401)
  }
  // 5 were free; each further one waits twice as long as the last.
  for (const wrong of ['a', 'b', 'c']) {
    await page.getByLabel('Password').fill(wrong)
    await expect(async () => {
      expect(await answer()).toBe(429)
      // The first wait is one second: where the test was too slow to look, the next one is twice as long.
      await expect(button).toHaveText(/Try again in \d+ s/, { timeout: 1_000 })
      await expect(button).toHaveAttribute('aria-disabled', 'true', { timeout: 1_000 })
      await expect(page.getByText('Too many attempts.')).toBeVisible({ timeout: 1_000 })
    }).toPass({ timeout: 120_000 })
    // It doubles with each time that was too slow to look.
    await expect(button).toHaveText('Sign in', { timeout: 300_000 })
    expect(await answer()).toBe(401)
  }
  // Other names do not have to wait.
  await page.getByLabel('User name').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await pressSignIn(page)
  await expect(userButton(page, 'admin, admin')).toBeVisible()
})

test('axe finds nothing at the door', async ({ page, running }) => {
  await forgetAll(page)
  for (const width of [1440, 390])
    for (const query of ['', '?error=sso-no-role', '?ended=1']) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${running.url}/sign-in${query}`)
      await expect(ssoLink(page)).toBeVisible()
      await expectAccessible(page, `${query} at ${width}`)
    }
})

test('a password never goes by GET, not even without the script', async ({ browser, running }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${running.url}/sign-in`)
  // In the page that was sent: a browser whose script is switched off by a test does not draw it.
  expect(await page.content()).toContain('Signing in needs JavaScript.')
  await page.getByLabel('User name').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForLoadState()
  expect(page.url()).not.toContain('correct')
  await context.close()
})

test('a provider that is gone does not stop a sign-in by password', async ({ page, provider, running }) => {
  await provider.stop()
  // The console still knows where the provider is; the browser gets no answer there.
  const answer = await page.request.get(`${running.url}/v1/sso`, { maxRedirects: 0 })
  expect(answer.status()).toBe(302)
  await page.goto(running.url)
  await page.getByLabel('User name').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await pressSignIn(page)
  await expect(userButton(page, 'admin, admin')).toBeVisible()
})
