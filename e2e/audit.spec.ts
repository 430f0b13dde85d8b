import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { encodeSegment } from '../lib/contract/path.ts'
import { driver, expect, type RunningConsole, test } from './console.ts'

const log = (page: Page) => page.getByRole('table', { name: 'Audit log' })
/** The entries with a text; not what one of them opens. */
const entries = (page: Page, text: string | RegExp) =>
  log(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /details$/ }), hasText: text })
const open = (row: Locator) => row.getByRole('button', { name: /details$/ }).click()

/** Kills a lease as admin; the reason is what to look for. */
async function kill({ api, hold }: RunningConsole, name: string, reason: string): Promise<void> {
  await hold(name)
  const at = `/v1/leases/${encodeSegment(name)}`
  const { body } = await api('POST', `${at}/release-plan`, {})
  const { status } = await api('POST', `${at}/release`, {
    plan: body.plan,
    mode: 'kill',
    reason,
    confirmName: name,
  })
  expect(status).toBe(200)
}

test('acts stand in the log, with person, object and reason, and lead to their details', async ({
  page,
  running,
}) => {
  await kill(running, 'audit/leads-on', 'INC-4471: a drained host')
  await page.getByRole('link', { name: 'Audit', exact: true }).click()
  const outcome = entries(page, 'INC-4471: a drained host').filter({ hasText: 'released' })
  await expect(outcome).toHaveCount(1)
  await expect(outcome).toContainText('forced release')
  await expect(outcome).toContainText('admin')
  await expect(entries(page, 'INC-4471: a drained host').filter({ hasText: 'intent' })).toHaveCount(1)

  await open(outcome)
  const detail = log(page).getByRole('row').filter({ hasText: 'Before it' })
  await expect(detail).toContainText('written after the act')
  await expect(detail).toContainText('127.0.0.1')
  await expect(detail.getByRole('table')).toContainText('"mode": "kill"')
  // The entry has an address of its own.
  await detail.getByRole('link', { name: 'Link to this entry' }).click()
  await expect(page).toHaveURL(/from=.*to=.*entry=/)
  await expect(log(page).getByRole('row').filter({ hasText: 'Before it' })).toContainText('main /')
  await page.reload()
  await expect(outcome).toHaveCount(1)
  await expect(log(page).getByRole('row').filter({ hasText: 'Before it' })).toBeVisible()

  await outcome.getByRole('link', { name: 'forced release' }).click()
  await expect(page).toHaveURL(/\/releases\/[\w-]+$/)
  await page.goBack()
  await outcome.getByRole('link', { name: 'audit/leads-on' }).click()
  await expect(page.getByRole('heading', { name: 'audit/leads-on' })).toBeVisible()
  await page.goBack()
  await outcome.getByRole('link', { name: 'admin', exact: true }).click()
  await expect(page).toHaveURL(/\/audit\?username=admin$/)
  await expect(page.getByLabel('Person')).toHaveValue('admin')
})

test('filters stand in the URL, and find only matching entries', async ({ page, running }) => {
  const beforeAll = new Date().toISOString()
  await kill(running, 'audit/filter-a', 'filter a')
  await kill(running, 'audit/filter-b', 'filter b')
  await page.goto(`${running.url}/audit`)
  await expect(entries(page, 'filter a').first()).toBeVisible()
  await page.getByLabel('Lease').fill('audit/filter-b')
  await expect(entries(page, 'filter a')).toHaveCount(0)
  await expect(entries(page, 'filter b')).toHaveCount(2)
  await page.getByLabel('Act', { exact: true }).selectOption('release plan')
  await expect(log(page).getByRole('button', { name: /details$/ })).toHaveCount(1)
  expect(new URL(page.url()).searchParams.get('act')).toBe('release-plan')
  await page.getByLabel('Outcome').selectOption('released')
  await expect(page.getByRole('heading', { name: 'No entry matches' })).toBeVisible()
  await page.goBack()
  await expect(log(page).getByRole('button', { name: /details$/ })).toHaveCount(1)
  // Before anything of this test was done there is nothing of it.
  const minuteBefore = new Date(Date.parse(beforeAll) - 60_000).toISOString()
  await page.getByLabel('Before, UTC').fill(minuteBefore.slice(0, 16).replace('T', ' '))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /No entry/ })).toBeVisible()
  await page.getByLabel('Before, UTC').fill('tomorrow')
  await page.keyboard.press('Enter')
  await expect(page.getByText('A time is 2026-11-21 14:00.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page).toHaveURL(/\/audit$/)
  await expect(entries(page, 'filter a').first()).toBeVisible()
})

test('refusals have a chain of their own', async ({ page, running }) => {
  await fetch(`${running.url}/v1/session`, {
    method: 'POST',
    headers: { origin: running.url, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'mallory', password: 'a guess' }),
  })
  await page.goto(`${running.url}/audit`)
  await page.getByRole('group', { name: 'Chain' }).getByRole('button', { name: 'Refusals' }).click()
  await expect(page).toHaveURL(/chain=refused/)
  // No user has that name: it may have been a password.
  await expect(entries(page, 'm… (7 characters)').first()).toContainText('refused')
  await expect(entries(page, 'mallory')).toHaveCount(0)
})

test('new entries wait while the pointer is over the rows, and move nothing', async ({ page, running }) => {
  await page.goto(`${running.url}/audit`)
  const first = log(page)
    .getByRole('button', { name: /details$/ })
    .first()
  await first.hover()
  const before = await first.textContent()
  await kill(running, 'audit/waits', 'while one points')
  await expect(page.getByText(/new entries wait/)).toBeVisible()
  expect(await first.textContent()).toBe(before)
  await page.getByRole('button', { name: 'Show them now' }).click()
  await expect(entries(page, 'while one points').first()).toBeVisible()
})

test('older entries are a page away', async ({ page, running }) => {
  const { owner } = await running.hold('audit/planned-often')
  for (let i = 0; i < 52; i += 1)
    await running.api('POST', `/v1/leases/${encodeSegment('audit/planned-often')}/release-plan`, {})
  await running.free('audit/planned-often', owner)
  await page.goto(`${running.url}/audit?act=release-plan&name=${encodeURIComponent('audit/planned-often')}`)
  const shown = log(page).getByRole('button', { name: /details$/ })
  await expect(shown).toHaveCount(50)
  const newest = await shown.first().textContent()
  await page.getByRole('button', { name: 'Older' }).click()
  await expect(shown).toHaveCount(2)
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(shown).toHaveCount(50)
  expect(await shown.first().textContent()).toBe(newest)
})

for (const colorScheme of ['dark', 'light'] as const)
  test(`axe finds nothing serious in the log, ${colorScheme}, at 1440 and at 390`, async ({
    page,
    running,
  }) => {
    await kill(running, `audit/axe-${colorScheme}`, 'for axe')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      for (const path of [
        '/audit',
        '/audit?chain=refused',
        '/audit?username=nobody-at-all',
        '/audit?act=release',
      ]) {
        await page.goto(running.url + path)
        await expect(page.getByText(/, read \d/)).toBeVisible()
        if (path.includes('release')) await open(entries(page, 'for axe').first())
        const { violations } = await new AxeBuilder({ page }).analyze()
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        expect(
          serious.map(
            ({ id, nodes }) => `${path} at ${width}: ${id} ${nodes.map(({ html }) => html.slice(0, 120))}`,
          ),
        ).toEqual([])
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, `${path} scrolls sideways at ${width}`).toBeLessThanOrEqual(0)
      }
    }
  })

test('an entry that was edited in Cassandra is shown as altered, with an alarm', async ({
  page,
  running,
}) => {
  await kill(running, 'audit/edited', 'INC-1: as it was written')
  await kill(running, 'audit/after-it', 'INC-2: the log goes on')
  const query = `act=release&name=${encodeURIComponent('audit/edited')}`
  const { body } = await running.api('GET', `/v1/audit?${query}&limit=1`)
  const { bucket, seq } = body.entries[0]
  const client = await driver()
  const place = [`main:${bucket}`, seq]
  const table = `"${running.keyspace}".audit_log`
  const write = (text: string) =>
    client.execute(`UPDATE ${table} SET body = ? WHERE bucket = ? AND seq = ?`, [text, ...place])
  const { rows } = await client.execute(`SELECT body FROM ${table} WHERE bucket = ? AND seq = ?`, place)
  const written: string = rows[0]?.body
  try {
    await write(written.replace('as it was written', 'as it was edited'))
    await page.goto(`${running.url}/audit?${query}`)
    const altered = entries(page, 'INC-1: as it was edited')
    await expect(altered).toContainText('altered')
    await expect(entries(page, 'INC-1: as it was written')).toContainText('intent')
    const alarm = page.getByRole('alert').filter({ hasText: 'an entry is not what a console wrote' })
    await expect(alarm).toContainText('Nothing is refused for it.')
    await open(altered)
    await expect(log(page).getByText('This entry was altered: do not rely on what it says.')).toBeVisible()
  } finally {
    // Other tests share this console.
    await write(written)
    await client.shutdown()
  }
})
