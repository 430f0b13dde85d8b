/** Chromium finds nothing on any page that the page's own policy forbids. */
import { encodeSegment } from '../../lib/contract/path.ts'
import { expect, rowOf, signIn, test } from '../console/console.ts'
import { watchViolations } from './violations.ts'

/** Every page, and every dialog that has an address. A new page is added here. */
const pages: { path: string; dialog?: true }[] = [
  { path: '/' },
  { path: '/?new=1', dialog: true },
  { path: '/?help=1', dialog: true },
  { path: '/?q=nothing-is-called-this' },
  { path: '/?export=1', dialog: true },
  { path: '/attention' },
  { path: '/leases/policy%2F00' },
  { path: '/leases/policy%2F00?release=1', dialog: true },
  { path: '/leases/nobody' },
  { path: '/audit' },
  { path: '/docs' },
  { path: '/settings' },
  { path: '/settings/users' },
  { path: '/settings/account' },
  { path: '/settings/tokens' },
  { path: '/settings/doctor' },
  { path: '/releases/no-such-plan' },
  { path: '/no-such-page' },
]
/** Pages without a session. */
const doors = ['/sign-in', '/setup#x', '/no-such-page', '/leases/policy%2F00']

// What moves, moves by styles that a script sets.
test.use({ reducedMotion: 'no-preference' })

test('no page breaks its own policy, in the dark scheme or the light one', async ({ page, running }) => {
  const owner = 'policy'
  const names = Array.from({ length: 40 }, (_, i) => `policy/${String(i).padStart(2, '0')}`)
  for (const name of names) await running.hold(name, { owner, value: 'v', ttlSeconds: 900 })
  const violations = await watchViolations(page)
  // Each page is loaded in one scheme and turns into the other: the dark one first, then the light one first.
  let [first, second]: ['dark' | 'light', 'dark' | 'light'] = ['dark', 'light']
  for (const { path, dialog } of pages) {
    await page.emulateMedia({ colorScheme: first })
    await page.goto(running.url + path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    if (dialog) await expect(page.getByRole('dialog')).toBeVisible()
    // The bars and marks of a lease are placed by script.
    // It draws for seconds of a processor of its own.
    if (path === '/docs')
      await expect(page.getByText('/v1/sequences/{name}/next')).toBeVisible({ timeout: 120_000 })
    if (path.startsWith('/leases/policy')) await expect(page.getByText('policy/00').first()).toBeVisible()
    await page.emulateMedia({ colorScheme: second })
    ;[first, second] = [second, first]
  }

  // The list, scrolled; from page to page without loading; the menu, and the theme chosen by hand.
  await page.goto(running.url)
  await expect(rowOf(page, 'policy/00')).toBeVisible()
  await rowOf(page, 'policy/39').scrollIntoViewIfNeeded()
  await rowOf(page, 'policy/39').getByRole('link', { name: 'policy/39', exact: true }).click()
  await expect(page).toHaveURL(`${running.url}/leases/${encodeSegment('policy/39')}`)
  await expect(page.getByRole('heading', { name: 'policy/39' })).toBeVisible()
  await page.goBack()
  for (const theme of ['Dark', 'Light', 'As the system']) {
    await page.getByRole('button', { name: /admin, admin/ }).click()
    await page.getByRole('menuitemradio', { name: theme }).click()
    await page.keyboard.press('Escape')
  }
  await page.reload()
  await expect(rowOf(page, 'policy/00')).toBeVisible()

  await page.context().clearCookies()
  for (const path of doors) {
    await page.goto('about:blank')
    await page.goto(running.url + path)
    await expect(page.getByRole('heading').first()).toBeVisible()
  }
  // The way in sends what the policy lets it send.
  await signIn(page, running)
  expect(violations).toEqual([])
  for (const name of names) await running.free(name, owner)
})

test('the theme is there before the first paint: its script has the nonce', async ({ page, running }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${running.url}/sign-in`, { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('an injected script does not run, and is reported', async ({ page, running }) => {
  const violations = await watchViolations(page)
  await page.goto(`${running.url}/`)
  await expect(page.getByRole('heading').first()).toBeVisible()
  const ran = await page.evaluate(async () => {
    const made = document.createElement('div')
    made.innerHTML = '<p style="color: red">x</p><img src="x:" onerror="window.ran = 1">'
    document.body.append(made)
    const script = document.createElement('iframe')
    script.src = 'https://evil.example/'
    document.body.append(script)
    await new Promise((done) => setTimeout(done, 300))
    return 'ran' in window
  })
  expect(ran).toBe(false)
  for (const directive of ['style-src-attr', 'script-src-attr', 'frame-src'])
    await expect.poll(() => violations.join('\n')).toContain(directive)
})
