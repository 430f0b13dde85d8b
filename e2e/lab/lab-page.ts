/** The pages of the election lab, by what they say. */
import type { Browser, Page } from '@playwright/test'
import { busyIn, expect, openSignedIn, pressUntil } from '../console/console.ts'
import type { RunningConsole } from '../console/running-console.ts'

const password = 'a password of a test'

/** Each person has one run at a time: each test starts its own as another operator. */
export async function as(
  role: 'operator' | 'viewer',
  username: string,
  browser: Browser,
  running: RunningConsole,
): Promise<Page> {
  await running.addUser({ username, password, role })
  const page = await (await browser.newContext()).newPage()
  await openSignedIn(page, running, '/lab', { username, password })
  return page
}

export const lanes = (page: Page) => page.getByRole('table', { name: 'Candidates against time' })
export const lane = (page: Page, words: RegExp) => lanes(page).getByRole('row', { name: words })
export const verdict = (page: Page) => page.getByRole('region', { name: 'Verdict' })
export const story = (page: Page) => page.getByRole('navigation', { name: 'Scenarios' })
export const startButton = (page: Page, title: string) =>
  page.getByRole('button', { name: `Start: ${title}`, exact: true })

/** Until the page shows the run. A run keeps its place for ten seconds at least, and the console has few. */
export async function start(page: Page, title: string): Promise<void> {
  const isFull = page.getByRole('alert').filter({ hasText: 'There is no room for another run.' })
  await pressUntil(() => startButton(page, title).click(), story(page), busyIn(page).or(isFull))
  await expect(page).toHaveURL(/\/lab\/[a-z0-9]{8}$/)
}

export const runOf = (page: Page) => new URL(page.url()).pathname.split('/')[2] as string

/** The candidate whose lane is the only one that says this: "c2". Looks often: some of it lasts for a second. */
export async function candidateIn(page: Page, words: RegExp): Promise<string> {
  let found: string[] = []
  const look = async () => {
    const names = await lanes(page)
      .getByRole('row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''))
    found = names
      .filter((name) => words.test(name))
      .flatMap((name) => /^Candidate (c\d)/.exec(name)?.[1] ?? [])
    return found.length
  }
  await expect.poll(look, { message: `a lane that says ${words}`, timeout: 90_000, intervals: [100] }).toBe(1)
  return found[0] as string
}

export const storyEnds = (page: Page) =>
  expect(story(page).getByText('The story has ended')).toBeVisible({ timeout: 120_000 })

export async function endRun(page: Page): Promise<void> {
  const ended = page.getByText('This run has ended.')
  const button = page.getByRole('button', { name: 'End run' })
  const asked = page.getByRole('button', { name: 'End the run' })
  const refused = busyIn(page)
  const press = async () => {
    if (!(await asked.isVisible())) await button.click()
    // It asks first while others watch.
    await expect(asked.or(ended).or(refused).first()).toBeVisible({ timeout: 90_000 })
    if (await asked.isVisible()) await asked.click()
  }
  await pressUntil(press, ended, refused)
}
