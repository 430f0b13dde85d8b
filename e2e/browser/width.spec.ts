/** No page scrolls sideways on a phone or a small window, in whatever state its leases are. */
import type { Locator, Page } from '@playwright/test'
import { encodeSegment } from '../../lib/contract/path.ts'
import { busyIn, expect, pressUntil, rowOf, test, untilDone } from '../console/console.ts'
import { admin, driver, type RunningConsole } from '../console/running-console.ts'
import { browserOf, fillIn, forced, openRelease } from '../releases/releasing.ts'

const widths = [390, 900]

/** What stands out of the window, or out of a dialog. */
const sticksOut = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll<HTMLElement>('.dlg')].flatMap((box) => {
      if (box.scrollWidth <= box.clientWidth) return []
      const { right } = box.getBoundingClientRect()
      return [...box.querySelectorAll('*')]
        .filter((element) => element.getBoundingClientRect().right > right + 0.5)
        .map((element) => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 60)}`)
        .concat(`${box.tagName} is ${box.scrollWidth} wide`)
    }),
  )

async function fits(page: Page, what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    // A page that is being drawn answers late: the API's reference takes seconds of a processor of its own.
    const message = `${what} at ${width}`
    await expect.poll(() => sticksOut(page), { message, timeout: 120_000 }).toEqual([])
  }
}

/** By how much its content is longer than the dialog. */
const scrolls = (dialog: Locator) => dialog.evaluate((box) => box.scrollHeight - box.clientHeight)

test('the release dialog fits a laptop’s screen in every mode, and its foot leaves a phone its screen', async ({
  browser,
  running,
}) => {
  await running.hold('fits/one', { owner, ttlSeconds: 600 })
  const page = await browserOf(browser, running, admin)
  const dialog = await openRelease(page, running, 'fits/one')
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const mode of ['Ask', 'Break', 'Kill']) {
    await dialog.getByRole('radio', { name: mode }).check()
    expect.soft(await scrolls(dialog), `${mode} at 1440 by 900`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  for (const mode of ['Kill', 'Break', 'Ask']) {
    await dialog.getByRole('radio', { name: mode }).check()
    const foot = await dialog.locator('.df').boundingBox()
    expect.soft(foot?.height, `the foot of ${mode} on a phone`).toBeLessThanOrEqual(110)
    const act = await dialog.locator('.df .btn').last().boundingBox()
    expect.soft(act?.height, `the button of ${mode} can be touched`).toBeGreaterThanOrEqual(44)
  }
  await page.context().close()
})

const prefix = 'width/platform-europe-west'
const nameOf = (state: string) => `${prefix}/a-lease-that-is-${state}-with-a-leaf-longer-than-a-phone`
const owner = 'ip-10-0-3-17.eu-central-1.compute.internal:4122:0123456789ab:1z'

/** One lease in each state that a row can be in. @returns the release that broke one */
async function makeLeases(running: RunningConsole): Promise<string> {
  const client = await driver()
  const table = `${running.keyspace}.leases`
  const insert = (name: string, ttlSeconds: number) =>
    client.execute(
      `INSERT INTO ${table} (name, owner, value) VALUES (?, ?, 'v') IF NOT EXISTS USING TTL ${ttlSeconds}`,
      [name, owner],
    )
  await running.hold(nameOf('held'), { owner, value: 'x'.repeat(300), ttlSeconds: 600 })
  await client.execute(
    `UPDATE ${table} USING TTL 600 SET value = 'v' WHERE name = '${nameOf('zombie')}' IF owner = null`,
  )
  await insert(nameOf('partial'), 500)
  await client.execute(
    `UPDATE ${table} USING TTL 600 SET owner = '${owner}' WHERE name = '${nameOf('partial')}' IF owner = '${owner}'`,
  )
  await insert(nameOf('eternal'), 0)
  await client.shutdown()
  const ids: string[] = []
  for (const [state, mode] of [
    ['killed', 'kill'],
    ['quarantined', 'break'],
  ] as const) {
    const name = nameOf(state)
    await running.hold(name, { owner, ttlSeconds: 600 })
    ids.push(await forced(running, name, mode, 'INC-1'))
  }
  return ids.at(-1) as string
}

test('no page scrolls sideways at 390 or at 900', async ({ page, running }) => {
  const released = await makeLeases(running)
  await page.goto(`${running.url}/?prefix=${prefix}`)
  await expect(rowOf(page, nameOf('zombie'))).toContainText('zombie')
  await fits(page, 'the list')
  for (const state of ['held', 'zombie', 'partial', 'eternal', 'quarantined', 'killed', 'free']) {
    await page.goto(`${running.url}/leases/${encodeSegment(nameOf(state))}`)
    await expect(page.getByRole('main')).toContainText(/ s ago/)
    await fits(page, state)
  }
  for (const path of [
    `/releases/${released}`,
    '/releases/no-such-release',
    '/audit',
    `/audit?id=${released}`,
    '/settings/account',
    '/settings/users',
    '/settings/users?add=1',
    '/settings/tokens',
    '/settings/tokens?new=1',
    '/docs',
    '/?new=1',
    '/?help=1',
    '/no-such-page',
  ]) {
    await page.goto(running.url + path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await fits(page, path)
  }
})

test('at 1440 a name, an owner id of the library and a value are whole in the list', async ({
  page,
  running,
}) => {
  const lease = { owner: 'ip-10-0-3-17:4122:4c1be07d59a2:1z', value: 'offset=90417755', ttlSeconds: 300 }
  await running.hold('tenants/migrate/zürich-02', lease)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${running.url}/?prefix=tenants/`)
  const row = rowOf(page, 'tenants/migrate/zürich-02')
  await expect(row).toContainText(lease.value)
  const cut = await row.evaluate((line) =>
    [...line.querySelectorAll('.lead, .c-owner, .c-val')]
      .filter((part) => part.scrollWidth > part.clientWidth)
      .map((part) => part.textContent),
  )
  expect(cut).toEqual([])
  await running.free('tenants/migrate/zürich-02', lease.owner)
})

test('no step of a forced release is wider than its dialog', async ({ page, running }) => {
  const name = `${prefix}/dialog-of-a-lease-with-a-leaf-longer-than-a-phone`
  await running.hold(name, { owner, ttlSeconds: 600, value: 'x'.repeat(300) })
  const dialog = await openRelease(page, running, name)
  for (const mode of ['Ask', 'Break', 'Kill'] as const) {
    await dialog.getByRole('radio', { name: mode }).check()
    await fits(page, mode)
    const overlaid = await dialog.locator('.mode').evaluateAll((cards) =>
      cards.flatMap((card) => {
        const [word, overlap] = ['b', 'em'].map((part) => card.querySelector(part)?.getBoundingClientRect())
        if (!word || !overlap || overlap.top >= word.bottom) return []
        // A flex item may be narrower than what it shows.
        const end = card.querySelector('b')?.lastChild
        const range = document.createRange()
        if (end) range.selectNodeContents(end)
        return range.getBoundingClientRect().right > overlap.left ? [card.textContent] : []
      }),
    )
    expect(overlaid, `the names of the modes, with ${mode} chosen`).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await fillIn(page, dialog, 'Break', { name })
  await fits(page, 'filled in')
  await dialog.getByRole('button', { name: 'Break the lease' }).click()
  await untilDone(dialog, 'Break the lease', dialog.filter({ hasText: /safe in/ }))
  await fits(page, 'broken')
})

test('the header has room for what waits and an elevation', async ({ browser, running }) => {
  const name = 'two/people/for-a-leaf-longer-than-a-phone-is-wide'
  await running.hold(name, { owner, ttlSeconds: 600 })
  const page = await browserOf(browser, running, admin)
  const dialog = await openRelease(page, running, name)
  await fillIn(page, dialog, 'Break', { name })
  await fits(page, 'for two people')
  await dialog.getByRole('button', { name: 'Request a break' }).click()
  await untilDone(dialog, 'Request a break', dialog.filter({ hasText: 'waiting for approval' }))
  await fits(page, 'requested')
  await page.goto(`${running.url}/leases/${encodeSegment(name)}`)
  await expect(page.getByRole('button', { name: /1 waits/ })).toBeVisible()
  await fits(page, 'its lease')
  await page.getByRole('button', { name: /1 waits/ }).click()
  await page.getByRole('menuitem').first().click()
  await expect(page.getByRole('heading', { name: /waiting for approval/ })).toBeVisible()
  await fits(page, 'its page')
  // Nothing waits on the pages of the tests that follow.
  await page.getByLabel('Why you withdraw it').fill('it fits')
  const withdraw = () => page.getByRole('button', { name: 'Withdraw' }).click()
  await pressUntil(withdraw, page.getByText('admin withdrew it: “it fits”'), busyIn(page))
  await page.context().close()
})

test('the door is no wider than a phone, with an error too', async ({ browser, running }) => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${running.url}/sign-in`)
  await fits(page, 'sign-in')
  await page.getByLabel('User name').fill('nobody-of-that-name')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Wrong user name or password.')).toBeVisible()
  await fits(page, 'sign-in with an error')
  await page.goto(`${running.url}/setup#x`)
  await fits(page, 'setup')
  await page.context().close()
})
