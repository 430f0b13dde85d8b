/** Tests of the console in a browser, and the ways into its pages. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, type Locator, type Page, type Request } from '@playwright/test'
import { admin, type RunningConsole } from './running-console.ts'
import { emptyForFile, workers } from './workers.ts'

export { expect }

/** By the form, as people do. */
export async function signIn(
  page: Page,
  { url }: RunningConsole,
  path = '/',
  user: { username: string; password: string } = admin,
): Promise<void> {
  await page.goto(url + path)
  await page.getByLabel('User name').fill(user.username)
  await page.getByLabel('Password').fill(user.password)
  await pressSignIn(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Sends the form that is filled in. While Cassandra is too busy to answer it is refused, and may be pressed again. */
export async function pressSignIn(page: Page): Promise<void> {
  await expect(async () => {
    const button = page.getByRole('button', { name: 'Sign in', exact: true })
    if (await button.isVisible()) await button.click({ timeout: 10_000 })
    await expect(page.getByLabel('Password')).toHaveCount(0, { timeout: 20_000 })
  }).toPass({ timeout: 120_000 })
}

/** One request in the session that the browser has. While Cassandra is too busy to answer it is 503, and sent again. */
export async function requestBy(
  page: Page,
  { url }: Pick<RunningConsole, 'url'>,
  method: string,
  path: string,
  data?: unknown,
): Promise<number> {
  // No connection is kept: the console closes it after five seconds, and a test that stood still meanwhile would still send on it.
  const headers = { origin: url, connection: 'close' }
  const statusOf = async () => (await page.request.fetch(url + path, { method, data, headers })).status()
  let status = await statusOf()
  for (let tries = 1; status === 503 && tries < 10; tries++) status = await statusOf()
  return status
}

/** Signs in without the form: the session is the same. */
export async function signInByRequest(
  page: Page,
  running: RunningConsole,
  { username, password }: { username: string; password: string } = admin,
): Promise<void> {
  const sent = { username, password }
  expect(await requestBy(page, running, 'POST', '/v1/session', sent), username).toBeLessThan(300)
}

/** Confirms the password without the form. */
export async function elevateByRequest(
  page: Page,
  running: RunningConsole,
  { password }: { password: string } = admin,
): Promise<void> {
  expect(await requestBy(page, running, 'POST', '/v1/session/elevation', { password })).toBeLessThan(300)
}

/** Opens a page in the session that the browser has. Its script runs: a press that is kept for ten seconds is done by then. */
export async function openPage(page: Page, { url }: RunningConsole, path = '/'): Promise<void> {
  await page.goto(url + path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await keysWork(page)
}

/** Opens a page signed in, without the form. */
export async function openSignedIn(
  page: Page,
  running: RunningConsole,
  path = '/',
  user: { username: string; password: string } = admin,
): Promise<void> {
  await signInByRequest(page, running, user)
  await openPage(page, running, path)
}

/** Signed in, with the password confirmed: no dialog comes between the form and its answer. */
export async function openElevated(page: Page, running: RunningConsole, path: string): Promise<void> {
  await signInByRequest(page, running)
  await elevateByRequest(page, running)
  await openPage(page, running, path)
}

/**
 * How pages say that Cassandra or the server was too busy for an act, or the page for a press: `error-words.ts`, `late-press.tsx`. An act
 * that was refused in other words is a failure, and must not be pressed again.
 */
const tooBusy = new RegExp(
  [
    'Cassandra does not answer\\.',
    'Cassandra has not answered\\.',
    'Not done: the audit log is unavailable\\.',
    'Not done: too late\\.',
    'This console is not ready\\.',
    'The Leasehold server did not answer in time\\.',
    'The same request is still running\\.',
    'Nothing was (sent|opened)\\. You pressed',
  ].join('|'),
)

/** Where a page, or a part of it, says so. */
export const busyIn = (place: Page | Locator): Locator =>
  place.getByRole('alert').filter({ hasText: tooBusy })

/**
 * Presses, and again only where the page has said that the press before was refused.
 * @param done what is seen once it was not
 * @param refused where the page says so: `busyIn`
 */
export async function pressUntil(
  press: () => Promise<unknown>,
  done: Locator,
  refused: Locator,
): Promise<void> {
  await press()
  await againUntil(press, done, refused)
}

/** The same after the first press. */
export async function againUntil(
  press: () => Promise<unknown>,
  done: Locator,
  refused: Locator,
): Promise<void> {
  const end = done.first()
  for (let tries = 1; tries < 10; tries++) {
    // Longer than a page waits for the answer to an act.
    await expect(end.or(refused).first()).toBeVisible({ timeout: 90_000 })
    if (await end.isVisible()) return
    await pause(1_000)
    // What Cassandra did not answer may have been done after all, and then there is nothing to press.
    await Promise.race([press(), end.waitFor()])
  }
  await expect(end).toBeVisible({ timeout: 90_000 })
}

/** Until what a form sent is done. While Cassandra is too busy to answer, the form says so, and its button sends it again. */
export const untilDone = (form: Locator, button: string, done: Locator): Promise<void> =>
  againUntil(() => form.getByRole('button', { name: button, exact: true }).click(), done, busyIn(form))

/** Counts the requests that the browser sends, those of this method to this path. */
export function counted(page: Page, method: string, path: RegExp): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) count++
  })
  return () => count
}

/** A page also ends reads that it no longer needs. One that was under way for longer had no answer. */
const unansweredAfterMs = 1_500

/**
 * Counts the requests that Cassandra or the server did not answer: after each of them a page may read everything again. A read
 * that the page itself ended at once is none.
 */
export function lostAnswers(page: Page): () => number {
  let lost = 0
  const isCall = (request: Request) => {
    const { pathname } = new URL(request.url())
    return pathname.startsWith('/v1/') && pathname !== '/v1/watch'
  }
  const beganAtMs = new WeakMap<Request, number>()
  page.on('request', (request) => {
    beganAtMs.set(request, performance.now())
  })
  page.on('requestfailed', (request) => {
    if (!isCall(request)) return
    const isAbort = request.failure()?.errorText === 'net::ERR_ABORTED'
    const nowMs = performance.now()
    if (!isAbort || nowMs - (beganAtMs.get(request) ?? nowMs) > unansweredAfterMs) lost++
  })
  page.on('response', (response) => {
    if (isCall(response.request()) && response.status() >= 500) lost++
  })
  return () => lost
}

/** A key that is pressed before the page's script runs does nothing. (A press of a button is kept.) */
export async function keysWork(page: Page): Promise<void> {
  await page.waitForFunction(() => !('earlyPress' in window))
}

/**
 * The page itself notes from now on whether an element of it says these words: what stands there for seconds, a look from
 * outside may miss on a busy machine.
 */
export async function noteSaid(page: Page, selector: string, words: RegExp): Promise<() => Promise<void>> {
  const noted = await page.evaluateHandle(
    ({ selector, source }) => {
      const noted = { wasSaid: false }
      const look = () => {
        for (const { textContent } of document.querySelectorAll(selector))
          if (new RegExp(source).test(textContent ?? '')) noted.wasSaid = true
      }
      new MutationObserver(look).observe(document.body, {
        childList: true,
        subtree: true,
        characterData: true,
      })
      return noted
    },
    { selector, source: words.source },
  )
  return () => expect.poll(() => noted.evaluate(({ wasSaid }) => wasSaid), { message: `${words}` }).toBe(true)
}

/** The recorder watches the table. A lease that is held when it begins has no event of its acquisition. */
export async function recorded(running: RunningConsole): Promise<void> {
  const since = async () => (await running.api('GET', '/v1/leases/any/events')).body.recordedSince
  await expect.poll(since, { timeout: 60_000 }).toEqual(expect.any(String))
}

/** `page` is signed in to `running`, and has opened none of its pages. */
export const test = workers.extend<{ page: Page; running: RunningConsole }>({
  running: async ({ plain }, use, { file }) => {
    await emptyForFile(plain, file)
    await use(plain)
  },
  page: async ({ page, running }, use) => {
    await signInByRequest(page, running)
    await use(page)
  },
})

/** The row of a lease in the list. */
export const rowOf = (page: Page, name: string) =>
  page
    .getByRole('table', { name: 'Leases' })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) })
