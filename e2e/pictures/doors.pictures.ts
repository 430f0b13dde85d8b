/** Sign-in, set-up, the API reference, and addresses that lead to no page. */
import { test as bare, expect } from '../console/console.ts'
import { startConsole } from '../console/running-console.ts'
import { startProvider } from '../console/sso-provider.ts'
import { take } from './camera.ts'
import { test } from './demo.ts'

test('sign-in, its errors, 404 and the API reference', async ({ page, browser, running }) => {
  await page.goto(`${running.url}/no-such-page`)
  await expect(page.getByRole('heading', { name: 'Page not found.' })).toBeVisible()
  await take(page, 'not-found')
  await page.goto(`${running.url}/docs`)
  await expect(page.getByText('/v1/sequences/{name}/next')).toBeVisible()
  await take(page, 'docs', 'window')
  await page.getByText('/v1/locks/{name}').first().click()
  await expect(page.getByText('Parameters').first()).toBeVisible()
  await page.getByText('Parameters').first().scrollIntoViewIfNeeded()
  await take(page, 'docs-open', 'window')

  const out = await (await browser.newContext()).newPage()
  await out.goto(`${running.url}/leases/cdc%2Fshard-00`)
  await expect(out.getByLabel('User name')).toBeVisible()
  await take(out, 'sign-in')
  await out.getByLabel('User name').fill('no-one')
  await out.getByLabel('Password').fill('wrong password')
  await out.getByRole('button', { name: 'Sign in' }).click()
  await expect(out.getByText('Wrong user name or password.')).toBeVisible()
  await take(out, 'sign-in-error')
  await out.goto(`${running.url}/sign-in?ended=1`)
  await take(out, 'sign-in-ended')
  await out.goto(`${running.url}/no-such-page`)
  await take(out, 'not-found-outside')
  await out.goto(`${running.url}/setup`)
  await expect(out.getByText('This link is incomplete, or no longer works.')).toBeVisible()
  await take(out, 'setup-dead')
  await out.context().close()
})

bare('set-up, and sign-in with single sign-on', async ({ browser }) => {
  const provider = await startProvider()
  const running = await startConsole({ env: { ...provider.env, LEASEHOLD_ADMIN_PASSWORD: '' } })
  const page = await (await browser.newContext()).newPage()
  try {
    await provider.serve(running.url)
    const link = running.lines.find((line) => line.startsWith('sign-in link: ')) ?? ''
    await page.goto(link.slice('sign-in link: '.length))
    await expect(page.getByLabel('New password', { exact: true })).toBeVisible()
    await take(page, 'setup')
    await page.getByLabel('New password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Set the password and sign in' }).click()
    await expect(page.getByText('The password is shorter than 10 characters.')).toBeVisible()
    await take(page, 'setup-error')
    await page.goto(`${running.url}/sign-in`)
    await expect(page.getByRole('link', { name: 'Sign in with Example SSO' })).toBeVisible()
    await take(page, 'sign-in-sso')
    await page.goto(`${running.url}/sign-in?error=sso-no-role`)
    await take(page, 'sign-in-sso-refused')
  } finally {
    await page.context().close()
    await running.stop()
    await provider.stop()
  }
})
