/** Scripts that come late, or never: what a slow or broken network does to a page whose HTML is there. */
import type { Page } from '@playwright/test'
import { test } from '../console/behind-gateway.ts'
import { expect, keysWork, openSignedIn, pressSignIn, rowOf, signInByRequest } from '../console/console.ts'
import type { Gateway } from '../console/gateway.ts'
import { admin } from '../console/running-console.ts'

const isScript = (path: string) => path.startsWith('/_next/static/') && path.includes('.js')

/** Opens a page whose scripts do not come until `letScriptsCome`. */
async function openWithoutScripts(page: Page, gateway: Gateway, url: string): Promise<void> {
  gateway.fate = (path) => (isScript(path) ? 'hold' : 'pass')
  await page.goto(url, { waitUntil: 'commit' })
}

/** A press is kept for ten seconds, in which a busy machine may not get to run the page's script: its clock stands still. */
const stopClock = (page: Page) => page.clock.setFixedTime(new Date())

async function letScriptsCome(gateway: Gateway): Promise<void> {
  await expect.poll(() => gateway.spoiled).toBeGreaterThan(0)
  gateway.release()
}

/** The chunk of the schemas: zod's own words are in no other. */
const isSchemas = (path: string, body: string) => isScript(path) && body.includes('Invalid input: expected ')
const isPalette = (path: string, body: string) =>
  isScript(path) && body.includes('A lease, a page or an action')
const isReleaseDialog = (path: string, body: string) => isScript(path) && body.includes('To confirm, type')

test('a button that is pressed before its script runs does its work when it does', async ({
  page,
  gateway,
  running,
}) => {
  // No page is opened before: the browser has none of the scripts.
  await signInByRequest(page, running)
  await stopClock(page)
  await openWithoutScripts(page, gateway, `${running.url}/settings/users`)
  await page.getByRole('button', { name: 'Add a user' }).click()
  await letScriptsCome(gateway)
  await expect(page.getByRole('dialog', { name: 'Add a user' })).toBeVisible()
})

test('what is typed and sent before the script of the form runs signs in, and is in no address', async ({
  page,
  gateway,
  running,
}) => {
  await stopClock(page)
  await openWithoutScripts(page, gateway, `${running.url}/sign-in`)
  await page.getByLabel('User name').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await page.keyboard.press('Enter')
  await expect.poll(() => gateway.spoiled).toBeGreaterThan(0)
  expect(page.url()).toBe(`${running.url}/sign-in`)
  gateway.release()
  await expect(page.getByRole('heading', { level: 1, name: 'Leases' })).toBeVisible()
})

test('a press whose script comes after ten seconds opens nothing, and the page says so', async ({
  page,
  gateway,
  running,
}) => {
  await signInByRequest(page, running)
  await page.clock.install()
  await openWithoutScripts(page, gateway, `${running.url}/settings/users`)
  const add = page.getByRole('button', { name: 'Add a user' })
  await add.click()
  await page.clock.fastForward(12_000)
  gateway.release()
  const notice = page.getByRole('alert').filter({ hasText: 'Nothing was opened.' })
  await expect(notice).toContainText(
    /You pressed Add a user \d\d s before this page was ready\. Press it again\./,
  )
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(add).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Add a user' })).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('a form whose script comes after ten seconds is not sent, and keeps its texts', async ({
  page,
  gateway,
  running,
}) => {
  await page.clock.install()
  await openWithoutScripts(page, gateway, `${running.url}/sign-in`)
  await page.getByLabel('User name').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await page.keyboard.press('Enter')
  await page.clock.fastForward(12_000)
  gateway.release()
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was sent.' })).toContainText(
    /Nothing was sent\. You pressed Sign in \d\d s before .*What you typed is still there/,
  )
  await expect(page.getByLabel('Password')).toHaveValue(admin.password)
  await pressSignIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Leases' })).toBeVisible()
})

test('what is typed into the form of the first password before its script runs stays', async ({
  page,
  gateway,
  running,
}) => {
  await stopClock(page)
  await openWithoutScripts(page, gateway, `${running.url}/setup#a-link`)
  await page.getByLabel('New password', { exact: true }).fill('a first password')
  await page.getByLabel('Repeat the new password').fill('another password')
  await page.getByRole('button', { name: 'Set the password and sign in' }).click()
  await letScriptsCome(gateway)
  await expect(page.getByText('The two passwords differ.')).toBeVisible()
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('a first password')
})

test('what is typed into the three fields of the own password before their script runs stays', async ({
  page,
  gateway,
  running,
}) => {
  await signInByRequest(page, running)
  await stopClock(page)
  await openWithoutScripts(page, gateway, `${running.url}/settings/account`)
  await page.getByLabel('Current password').fill(admin.password)
  await page.getByLabel('New password', { exact: true }).fill('a second password')
  await page.getByLabel('Repeat the new password').fill('another password')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await letScriptsCome(gateway)
  await expect(page.getByText('The two passwords differ.')).toBeVisible()
  await expect(page.getByLabel('Current password')).toHaveValue(admin.password)
})

test('a search that is typed before its script runs is searched for', async ({ page, gateway, running }) => {
  await running.hold('late/searched', { ttlSeconds: 300 })
  await running.hold('late/other', { ttlSeconds: 300 })
  await signInByRequest(page, running)
  await openWithoutScripts(page, gateway, running.url)
  await page.getByRole('searchbox').fill('searched')
  await letScriptsCome(gateway)
  await expect(rowOf(page, 'late/other')).toHaveCount(0)
  await expect(rowOf(page, 'late/searched')).toBeVisible()
  await expect(page).toHaveURL(/[?&]q=searched/)
})

test('schemas that never come: the page says that the server is silent, and recovers by itself', async ({
  page,
  gateway,
  running,
}) => {
  await running.hold('late/schemas', { ttlSeconds: 300 })
  gateway.fate = (path, body) => (isSchemas(path, body) ? 'hold' : 'pass')
  await openSignedIn(page, running)
  await expect.poll(() => gateway.spoiled).toBeGreaterThan(0)
  const alarm = page.getByRole('alert').filter({ hasText: /server has not answered/ })
  await expect(alarm).toBeVisible()
  gateway.release()
  await expect(alarm).toHaveCount(0)
  await expect(rowOf(page, 'late/schemas')).toContainText('confirmed')
})

test('a dialog whose code is cut off four times opens when it comes', async ({ page, gateway, running }) => {
  await running.hold('late/dialog', { ttlSeconds: 300 })
  await openSignedIn(page, running)
  let left = 4
  gateway.fate = (path, body) => (isReleaseDialog(path, body) && left-- > 0 ? 'cut' : 'pass')
  const row = rowOf(page, 'late/dialog')
  await row.hover()
  await row.getByRole('button', { name: /^Release/ }).click()
  await expect.poll(() => gateway.spoiled).toBeGreaterThan(0)
  await expect(page.getByRole('dialog', { name: /late\/dialog/ })).toBeVisible()
  expect(gateway.spoiled).toBe(4)
})

test('what is typed while the code of the palette is on its way is its text, and no key of the page behind', async ({
  page,
  gateway,
  running,
}) => {
  await running.hold('late/palette', { ttlSeconds: 300 })
  gateway.fate = (path, body) => (isPalette(path, body) ? 'hold' : 'pass')
  await openSignedIn(page, running)
  await expect(rowOf(page, 'late/palette')).toBeVisible()
  await keysWork(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('pause')
  await letScriptsCome(gateway)
  await expect(page.getByRole('combobox', { name: /Find a lease/ })).toHaveValue('pause')
  await expect(page).toHaveURL(`${running.url}/`)
  await expect(page.getByText(/Paused, .* behind/)).toHaveCount(0)
})
