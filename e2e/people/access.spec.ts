import { expectAccessible } from '../browser/axe.ts'
import { expect, rowOf, test, untilDone } from '../console/console.ts'
import { fillIn, openRelease } from '../releases/releasing.ts'

test('axe finds nothing serious, at 1440 and at 390', async ({ page, running }) => {
  const { owner } = await running.hold('axe/page', { value: 'v', ttlSeconds: 3600 })
  const paths = [
    '/',
    '/?export=1',
    '/attention',
    '/leases/axe%2Fpage',
    '/leases/axe%2Fpage?release=1',
    '/leases/nobody',
    '/releases/no-such-release',
    '/?new=1',
    '/?help=1',
    '/no-such-page',
    '/settings/doctor',
    '/sign-in',
    '/setup#x',
  ]
  for (const path of paths) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(running.url + path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    if (path === '/') await expect(rowOf(page, 'axe/page')).toBeVisible()
    if (path.includes('=1')) await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, `${path} at 1440`)
    await page.setViewportSize({ width: 390, height: 900 })
    await expectAccessible(page, `${path} at 390`)
  }
  await running.free('axe/page', owner)
})

test('axe finds nothing serious at any step of a forced release', async ({ page, running }) => {
  const { owner } = await running.hold('axe/release', { ttlSeconds: 600 })
  const dialog = await openRelease(page, running, 'axe/release')
  await expectAccessible(page, 'ask')
  await dialog.getByRole('radio', { name: 'Kill' }).check()
  await expectAccessible(page, 'kill, not elevated')
  // The plan may have grown old meanwhile, here and below.
  const filled = await openRelease(page, running, 'axe/release')
  await fillIn(page, filled, 'Break', { name: 'axe/release' })
  await expectAccessible(page, 'break, filled in')
  const asked = await openRelease(page, running, 'axe/release')
  await fillIn(page, asked, 'Ask', { name: 'axe/release' })
  await asked.getByRole('button', { name: 'Ask to resign' }).click()
  await untilDone(asked, 'Ask to resign', asked.filter({ hasText: 'Asked to resign: axe/release' }))
  await expect(asked).toContainText('Asked to resign: axe/release')
  await expectAccessible(page, 'asked')
  await running.hold('axe/release', { ttlSeconds: 600, owner })
  const second = await openRelease(page, running, 'axe/release')
  await fillIn(page, second, 'Break', { name: 'axe/release' })
  await second.getByRole('button', { name: 'Break the lease' }).click()
  await untilDone(second, 'Break the lease', second.filter({ hasText: 'Broken: axe/release' }))
  await expect(second).toContainText(/Broken: .*, safe in/)
  await expectAccessible(page, 'broken')
  await page.goto(`${running.url}/leases/axe%2Frelease`)
  await page.getByRole('link', { name: 'See the release' }).first().click()
  await expect(page.getByRole('heading', { name: /^Broken: .*, safe in/ })).toBeVisible()
  await expectAccessible(page, 'permalink')
})

test('an address without a page says so, with the brand and a way out', async ({ page, running }) => {
  await page.goto(`${running.url}/no-such-page`)
  await expect(page.getByRole('heading', { name: 'Page not found.' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'All leases' })).toBeVisible()
  await page.getByRole('link', { name: 'Leasehold', exact: true }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('a table that is not configured is named, with the way out, and the page does not go on connecting', async ({
  page,
  running,
}) => {
  await page.goto(`${running.url}/?table=nosuch`)
  await expect(
    page.getByRole('alert').filter({ hasText: 'No table nosuch is configured here.' }),
  ).toBeVisible()
  await expect(page.getByText('open a table that is configured')).toBeVisible()
  const strip = page.getByRole('region', { name: 'How true this page is' })
  await expect(strip).toContainText('quorum ok')
  await expect(strip).not.toContainText('Connecting')
  await expect(strip.getByRole('button', { name: 'Pause' })).toHaveCount(0)
  await page.getByRole('link', { name: /\.leases$/ }).click()
  await expect(strip).toContainText('Live')
})

test('tabs, home screens and previews of links have pictures, without a session', async ({
  page,
  running,
  request,
}) => {
  await page.goto(running.url)
  const of = (selector: string, name: string) => page.locator(selector).first().getAttribute(name)
  const manifest = await of('link[rel=manifest]', 'href')
  const named = [
    await of('link[rel="apple-touch-icon"]', 'href'),
    await of('meta[property="og:image"]', 'content'),
    '/favicon.ico',
  ]
  // A chat reads the picture from outside: its address is whole.
  expect(named[1]).toBe(`${running.url}/preview.png`)
  const json = await (await request.get(running.url + manifest)).json()
  expect(json.name).toBe('Leasehold')
  const icons = json.icons.map(({ src }: { src: string }) => src)
  for (const path of [...named, ...icons]) {
    const answer = await request.get(new URL(path, running.url).href)
    expect([path, answer.status()]).toEqual([path, 200])
    expect(answer.headers()['content-type']).toMatch(/^image\//)
  }
})
