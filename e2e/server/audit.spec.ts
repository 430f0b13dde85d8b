import type { Locator, Page } from '@playwright/test'
import { encodeSegment } from '../../lib/contract/path.ts'
import { expectAccessible } from '../browser/axe.ts'
import { expect, openPage, test } from '../console/console.ts'
import { admin, driver, type RunningConsole, startConsole } from '../console/running-console.ts'
import { forced } from '../releases/releasing.ts'

const log = (page: Page) => page.getByRole('table', { name: 'Audit log' })
/** The acts with a text; not what one of them opens. */
const entries = (page: Page, text: string | RegExp) =>
  log(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /details$/ }), hasText: text })
const open = (row: Locator) => row.getByRole('button', { name: /details$/ }).click()

/** Kills a lease as admin; the reason is what to look for. */
async function kill(running: RunningConsole, name: string, reason: string): Promise<void> {
  await running.hold(name)
  await forced(running, name, 'kill', reason)
}

interface Entry {
  bucket: string
  seq: number
  phase: string
  reason: string | null
}

/** While Cassandra is too busy to answer, which is 503, it is read again. */
async function readAudit({ api }: RunningConsole, query: string): Promise<Entry[]> {
  const read = () => api('GET', `/v1/audit?${query}`)
  let answer = await read()
  for (let tries = 1; answer.status === 503 && tries < 10; tries++) answer = await read()
  expect(answer.status, query).toBe(200)
  return answer.body.entries
}

/** Where the newest entry that a query finds is, once it is an outcome: an act's answer may come before its entry. */
async function newestOutcome(running: RunningConsole, query: string): Promise<Entry> {
  let newest: Entry | undefined
  const phase = async () => {
    ;[newest] = await readAudit(running, `${query}&limit=1`)
    return newest?.phase
  }
  await expect.poll(phase).toBe('outcome')
  return newest as unknown as Entry
}

test('acts stand in the log, with person, object and reason, and lead to their details', async ({
  page,
  running,
}) => {
  await kill(running, 'audit/before-it', 'INC-4470: the act before')
  await kill(running, 'audit/leads-on', 'INC-4471: a drained host')
  await openPage(page, running)
  await page.getByRole('link', { name: 'Audit', exact: true }).click()
  const act = entries(page, 'INC-4471: a drained host')
  // Plan, intent and outcome are one row, called by its mode.
  await expect(act).toHaveCount(1)
  await expect(act.getByRole('link', { name: 'Kill' })).toBeVisible()
  await expect(act).toContainText('killed')
  await expect(act).toContainText('admin')

  await open(act)
  const outcome = log(page).getByRole('region', { name: 'Outcome' })
  await expect(outcome).toContainText('written after the act')
  await expect(outcome).toContainText('127.0.0.1')
  await expect(outcome.getByRole('table')).toContainText('"mode": "kill"')
  await expect(log(page).getByRole('region', { name: 'Intent' })).toContainText('written before the act')
  await expect(log(page).getByRole('region', { name: 'Plan' })).toContainText('single entry')
  // The entry has an address of its own.
  await outcome.getByRole('link', { name: 'Link to this entry' }).click()
  await expect(page).toHaveURL(/from=.*to=.*entry=/)
  await expect(outcome).toContainText('main /')
  await page.reload()
  await expect(act).toHaveCount(1)
  // What the filter leaves out of the act is looked up.
  for (const name of ['Outcome', 'Intent', 'Plan'])
    await expect(log(page).getByRole('region', { name })).toContainText('Previous hash')

  await act.getByRole('link', { name: 'Kill' }).click()
  await expect(page).toHaveURL(/\/releases\/[\w-]+$/)
  await page.goBack()
  await act.getByRole('link', { name: 'audit/leads-on' }).first().click()
  await expect(page.getByRole('heading', { name: 'audit/leads-on' })).toBeVisible()
  await page.goBack()
  await expect(act).toHaveCount(1)
  const earlier = entries(page, 'INC-4470: the act before')
  await expect(earlier).toHaveCount(0)
  await act.getByRole('link', { name: 'admin', exact: true }).click()
  await expect(page).toHaveURL(/\/audit\?username=admin$/)
  await expect(page.getByLabel('Person')).toHaveValue('admin')
  // The pointer and the focus are still in the rows, which hold no entries but those of this filter.
  await expect(earlier).toHaveCount(1)
})

test('filters stand in the URL, and find only matching entries', async ({ page, running }) => {
  const beforeAll = new Date().toISOString()
  await kill(running, 'audit/filter-a', 'filter a')
  await kill(running, 'audit/filter-b', 'filter b')
  await page.goto(`${running.url}/audit`)
  await expect(entries(page, 'filter a').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Lease' }).fill('audit/filter-b')
  await expect(entries(page, 'filter a')).toHaveCount(0)
  await expect(entries(page, 'filter b')).toHaveCount(1)
  await page.getByLabel('Act', { exact: true }).selectOption('Release plan')
  // One row was there before too.
  await expect(page).toHaveURL(/act=release-plan/)
  await expect(log(page).getByRole('button', { name: /details$/ })).toHaveCount(1)
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
  await expect(page.getByText('Write the time as 2026-11-21 14:00.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page).toHaveURL(/\/audit$/)
  await expect(entries(page, 'filter a').first()).toBeVisible()
})

test('refusals have a chain of their own', async ({ page, running }) => {
  // At another instance: one writes ten refusals of an address in ten minutes, and counts the others, which earlier files may have made.
  const other = await startConsole({ keyspace: running.keyspace })
  const guess = () =>
    fetch(`${other.url}/v1/session`, {
      method: 'POST',
      headers: { origin: other.url, 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'mallory', password: 'a guess' }),
    })
  // While Cassandra is too busy to answer it is 503.
  await expect.poll(async () => (await guess()).status).toBe(401)
  await page.goto(`${running.url}/audit`)
  await page.getByRole('group', { name: 'Chain' }).getByRole('button', { name: 'Refusals' }).click()
  await expect(page).toHaveURL(/chain=refused/)
  // No user has that name: it may have been a password.
  await expect(entries(page, 'm… (7 characters)').first()).toContainText('refused')
  await expect(entries(page, 'mallory')).toHaveCount(0)
  await other.stop()
})

test('new acts wait while the pointer is over the rows, and on its way to the button that shows them', async ({
  page,
  running,
}) => {
  await page.goto(`${running.url}/audit`)
  const first = log(page)
    .getByRole('button', { name: /details$/ })
    .first()
  const show = page.getByRole('button', { name: /^Show \d+ new acts?$/ })
  const waiting = async () => Number(/\d+/.exec((await show.textContent({ timeout: 5_000 })) ?? '')?.[0])
  let round = 0
  // A pointer that rests for 10 s is parked and holds nothing: a round in which the machine took that long proves nothing.
  await expect(async () => {
    round++
    await first.hover()
    const [before, place] = [await first.textContent(), await first.boundingBox()]
    await kill(running, `audit/waits-${round}`, `while one points, ${round}.`)
    await expect(show).toBeVisible({ timeout: 8_000 })
    expect(await first.textContent()).toBe(before)
    // The rows have not moved for it.
    expect(await first.boundingBox()).toEqual(place)
    // A pointer that leaves the rows for the button still finds it there, however long it takes.
    await show.hover({ timeout: 5_000 })
    const waited = await waiting()
    await kill(running, `audit/waits-on-${round}`, `on the way, ${round}.`)
    await expect.poll(waiting, { timeout: 8_000 }).toBeGreaterThan(waited)
    await show.click({ timeout: 5_000 })
  }).toPass({ timeout: 300_000 })
  await expect(entries(page, `while one points, ${round}.`)).toHaveCount(1)
  await expect(entries(page, `on the way, ${round}.`)).toHaveCount(1)
  // Clicked, the button holds the rows no longer.
  await page.getByRole('heading', { name: 'Audit' }).hover()
  await kill(running, 'audit/goes-on', 'the log goes on')
  await expect(entries(page, 'the log goes on')).toHaveCount(1)
})

test('a plan that was only looked at has no row, unless the URL asks for plans', async ({
  page,
  running,
}) => {
  await running.hold('audit/looked-at')
  await running.api('POST', `/v1/leases/${encodeSegment('audit/looked-at')}/release-plan`, {})
  await kill(running, 'audit/after-the-look', 'after the look')
  await page.goto(`${running.url}/audit`)
  await expect(entries(page, 'after the look')).toHaveCount(1)
  await expect(entries(page, 'audit/looked-at')).toHaveCount(0)
  // The count says what it leaves out, also where nothing else is left, and the link keeps the other filters.
  await page.getByLabel('Lease', { exact: true }).fill('audit/looked-at')
  const foot = page.getByText(/^No act.*Release plans are not counted/)
  await foot.getByRole('link', { name: 'show plans' }).click()
  await expect(entries(page, 'audit/looked-at')).toContainText('planned')
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    act: 'release-plan',
    name: 'audit/looked-at',
  })
  await expect(page.getByText('Release plans are not counted')).toHaveCount(0)
})

for (const width of [1440, 390])
  test(`nothing moves while the log arrives, at ${width}`, async ({ page, running }) => {
    for (let i = 0; i < 6; i += 1) await kill(running, `audit/still-${i}`, 'a row')
    await page.setViewportSize({ width, height: 900 })
    await watchShifts(page)
    let moved = Number.NaN
    // The alarm of a page that had no answer for two seconds moves all of it: that load proves nothing.
    await expect(async () => {
      await page.goto(`${running.url}/audit`)
      await expect(entries(page, 'a row').first()).toBeVisible()
      await expect(page.getByText(/, read \d/)).toBeVisible()
      const { total, isAlarmed } = await shifted(page)
      moved = total
      expect(isAlarmed).toBe(false)
    }).toPass({ timeout: 120_000 })
    expect(moved).toBeLessThan(0.02)
  })

/** Sums up, from the next load on, how far things move on the page, as the browser measures it. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts = { total: 0, isAlarmed: false }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const move of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[])
        if (!move.hadRecentInput) shifts.total += move.value
    }).observe({ type: 'layout-shift', buffered: true })
    new MutationObserver(() => {
      if (document.getElementById('alarm') !== null) shifts.isAlarmed = true
    }).observe(document, { childList: true, subtree: true })
  })
const shifted = (page: Page) =>
  page.evaluate(() => (window as unknown as { shifts: { total: number; isAlarmed: boolean } }).shifts)

test('an act that lies on two pages is one row, on the newer one', async ({ page, running }) => {
  const { owner } = await running.hold('audit/split', { ttlSeconds: 900 })
  const signIn = () =>
    fetch(`${running.url}/v1/session`, {
      method: 'POST',
      headers: { origin: running.url, 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    })
  const newerThan = async (asked: string): Promise<number> =>
    (await readAudit(running, 'without=release-plan&limit=200')).findIndex(
      ({ reason, phase }) => reason === asked && phase === 'outcome',
    )
  let asks = 0
  const ask = async () => {
    const reason = `on two pages, ${++asks}.`
    await forced(running, 'audit/split', 'ask', reason)
    await expect.poll(() => newerThan(reason)).toBeGreaterThanOrEqual(0)
    return reason
  }
  // 49 entries above an outcome: it ends the page, and its intent begins the next one. An ask writes two, a sign-in one.
  // `running.api` elevates itself each eight minutes, which writes two more: if they come last, another ask begins.
  let asked = await ask()
  for (let newer = 0; newer !== 49; newer = await newerThan(asked)) {
    if (newer > 49) asked = await ask()
    else if (newer === 48) await signIn()
    else await ask()
  }
  await page.goto(`${running.url}/audit`)
  const act = entries(page, asked)
  await expect(act).toContainText('asked')
  await open(act)
  await expect(log(page).getByRole('region', { name: 'Intent' })).toBeVisible()
  await page.getByRole('button', { name: 'Older' }).click()
  await expect(page.getByRole('button', { name: 'Newest' })).toBeEnabled()
  await expect(entries(page, /./).first()).toBeVisible()
  await expect(act).toHaveCount(0)
  await running.free('audit/split', owner)
})

test('older entries are a page away', async ({ page, running }) => {
  const { owner } = await running.hold('audit/planned-often', { ttlSeconds: 900 })
  const plan = `/v1/leases/${encodeSegment('audit/planned-often')}/release-plan`
  // While Cassandra is too busy to answer there is no plan, and perhaps an entry.
  for (let plans = 0; plans < 52; ) if ((await running.api('POST', plan, {})).status < 300) plans++
  await running.free('audit/planned-often', owner)
  const query = `act=release-plan&name=${encodeURIComponent('audit/planned-often')}`
  const all = (await readAudit(running, `${query}&limit=200`)).length
  await page.goto(`${running.url}/audit?${query}`)
  const shown = log(page).getByRole('button', { name: /details$/ })
  await expect(shown).toHaveCount(50)
  const newest = await shown.first().textContent()
  await page.getByRole('button', { name: 'Older' }).click()
  await expect(shown).toHaveCount(all - 50)
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(shown).toHaveCount(50)
  expect(await shown.first().textContent()).toBe(newest)
})

test('axe finds nothing serious in the log, at 1440 and at 390', async ({ page, running }) => {
  await kill(running, 'audit/axe', 'for axe')
  for (const path of [
    '/audit',
    '/audit?chain=refused',
    '/audit?username=no-such-person',
    '/audit?act=release',
  ]) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(running.url + path)
    await expect(page.getByText(/, read \d/)).toBeVisible()
    if (path.includes('release')) await open(entries(page, 'for axe').first())
    await expectAccessible(page, `${path} at 1440`)
    await page.setViewportSize({ width: 390, height: 900 })
    await expectAccessible(page, `${path} at 390`)
  }
})

test('an entry that was edited in Cassandra is shown as altered, with an alarm', async ({
  page,
  running,
}) => {
  await kill(running, 'audit/edited', 'INC-1: as it was written')
  await kill(running, 'audit/after-it', 'INC-2: the log goes on')
  const query = `act=release&name=${encodeURIComponent('audit/edited')}`
  const { bucket, seq } = await newestOutcome(running, query)
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
    // The whole act is in doubt; only the edited entry says so inside.
    await expect(altered).toHaveCount(1)
    const alarm = page.getByRole('alert').filter({ hasText: 'an entry is not what a console wrote' })
    await expect(alarm).toContainText('Nothing is refused because of it.')
    await open(altered)
    await expect(log(page).getByText('This entry was altered: do not rely on what it says.')).toBeVisible()
  } finally {
    // Other tests share this console.
    await write(written)
    await client.shutdown()
  }
})

test('an entry that was deleted in Cassandra leaves a gap, which is an alarm', async ({ page, running }) => {
  await kill(running, 'audit/deleted', 'INC-3: this one goes')
  await kill(running, 'audit/stays', 'INC-4: the log goes on')
  const query = `act=release&name=${encodeURIComponent('audit/deleted')}`
  const { bucket, seq } = await newestOutcome(running, query)
  const client = await driver()
  const place = [`main:${bucket}`, seq]
  const table = `"${running.keyspace}".audit_log`
  const cells = 'id, body, prev, hash'
  const prepare = { prepare: true }
  const { rows } = await client.execute(
    `SELECT ${cells} FROM ${table} WHERE bucket = ? AND seq = ?`,
    place,
    prepare,
  )
  const [row] = rows
  try {
    await client.execute(`DELETE FROM ${table} WHERE bucket = ? AND seq = ?`, place, prepare)
    await page.goto(`${running.url}/audit`)
    const alarm = page.getByRole('alert').filter({ hasText: 'an entry between others is gone' })
    await expect(alarm).toContainText(`at entry ${seq} of main:${bucket}`)
    await expect(alarm).toContainText('names every missing entry')
  } finally {
    // Other tests share this console.
    const values = [...place, row?.id, row?.body, row?.prev, row?.hash]
    await client.execute(
      `INSERT INTO ${table} (bucket, seq, ${cells}) VALUES (?, ?, ?, ?, ?, ?)`,
      values,
      prepare,
    )
    await client.shutdown()
  }
})
