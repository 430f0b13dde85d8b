/** The election lab: its front, runs as their stories go on, a finished run, and presentation mode. */
import type { Page } from '@playwright/test'
import { takeLab } from '../../scripts/pictures/take-lab.mjs'
import { expect, openSignedIn, test } from '../console/console.ts'
import type { RunningConsole } from '../console/running-console.ts'
import { take } from './camera.ts'

const lane = (page: Page, words: RegExp) =>
  page.getByRole('table', { name: 'Candidates against time' }).getByRole('row', { name: words })
const story = (page: Page) => page.getByRole('navigation', { name: 'Scenarios' })
const start = (page: Page, title: string) =>
  page.getByRole('button', { name: `Start: ${title}`, exact: true }).click()
const isOver = (page: Page) =>
  expect(story(page).getByText('The story has ended')).toBeVisible({ timeout: 180_000 })

/** The story waits while its pictures are taken; the election goes on. */
async function takeStill(page: Page, state: string): Promise<void> {
  await page.getByRole('button', { name: 'Pause the story' }).click()
  await expect(page.getByRole('button', { name: 'Play the story' })).toBeEnabled()
  await take(page, state)
  await page.getByRole('button', { name: 'Play the story' }).click()
}

/** @returns what the slider calls the time, in tenths of a second */
async function stepOfCrash(page: Page, { api }: RunningConsole): Promise<string> {
  const { body } = await api('GET', `/v1/lab/runs/${new URL(page.url()).pathname.split('/')[2]}`)
  const { atMs } = body.entries.find(({ fault }: { fault?: string }) => fault === 'crashed')
  return String(Math.round(atMs / 100) + 20)
}

async function endRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'End run' }).click()
  await expect(page.getByText('This run has ended.')).toBeVisible()
}

/** `page` with the lab, of a person who has no run yet. */
async function open(page: Page, running: RunningConsole, username: string): Promise<void> {
  const password = `a password of ${username}`
  await running.api('POST', '/v1/users', { username, password, role: 'operator' })
  await openSignedIn(page, running, '/lab', { username, password })
  await expect(page.getByRole('button', { name: 'Start: The bakery' })).toBeEnabled()
}

// Stories wait more than they work: two at a time.
test.describe.configure({ mode: 'parallel' })

test('lab: empty, and a crash with its takeover, running, presented, ended', async ({ page, running }) => {
  await open(page, running, 'lena')
  await take(page, 'lab-empty')
  await start(page, 'Crash and takeover')
  await expect(lane(page, /^Candidate c\d: leads/)).toHaveCount(1)
  await takeStill(page, 'lab-crash-leader')
  await isOver(page)
  await take(page, 'lab-crash-taken-over')
  await page.keyboard.press('f')
  await expect(page).toHaveURL(/present=1/)
  await take(page, 'lab-present')
  await page.keyboard.press('Escape')
  await endRun(page)
  await take(page, 'lab-ended')
  // Two seconds after the crash: live, it would be over before the last of the pictures.
  await page.getByRole('slider', { name: 'Time of the run' }).fill(await stepOfCrash(page, running))
  await expect(lane(page, /^Candidate c\d: crashed, its lease runs on/)).toHaveCount(1)
  await take(page, 'lab-crash-crashed')
  await page.getByRole('button', { name: 'Show as a table' }).click()
  await take(page, 'lab-ended-table')
  await page.goto(`${running.url}/lab`)
  await expect(page.getByRole('region', { name: 'Finished runs' })).toBeVisible()
  await take(page, 'lab-finished-runs')
})

test('lab: for the documentation', async ({ page, running }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, running, 'olga')
  await takeLab(page, running.url, process.env.LEASEHOLD_PICTURES ?? '')
})

test('lab: a long pause without fencing', async ({ page, running }) => {
  await open(page, running, 'mara')
  await start(page, 'Long pause, without fencing')
  await expect(lane(page, /still believes/)).toHaveCount(1, { timeout: 120_000 })
  await takeStill(page, 'lab-pause-believes')
  await isOver(page)
  await take(page, 'lab-pause-over')
  await endRun(page)
})

test('lab: the bakery', async ({ page, running }) => {
  await open(page, running, 'nils')
  await start(page, 'The bakery')
  const customers = page.getByRole('region', { name: 'The bakery' })
  await expect(customers.getByText('inside', { exact: true })).toHaveCount(1, { timeout: 60_000 })
  await take(page, 'lab-bakery')
  await expect(customers.getByText('crashed', { exact: true })).toHaveCount(1, { timeout: 120_000 })
  await take(page, 'lab-bakery-crashed')
  await endRun(page)
})
