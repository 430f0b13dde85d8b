/** A page whose requests are refused: it leaves for the sign-in once, and only when the session has ended. */
import type { Page } from '@playwright/test'
import { test } from '../console/behind-gateway.ts'
import { expect, openSignedIn, requestBy } from '../console/console.ts'
import type { Fate } from '../console/gateway.ts'
import { fillIn, openRelease } from '../releases/releasing.ts'

function waysToSignIn(page: Page): string[] {
  const ways: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().includes('/sign-in')) ways.push(request.url())
  })
  return ways
}

test('the page stays when only a request with the session id of before is refused', async ({
  page,
  gateway,
  running,
}) => {
  await openSignedIn(page, running)
  const ways = waysToSignIn(page)
  const asked = (status: number) =>
    page.waitForResponse((answer) => /\/v1\/session$/.test(answer.url()) && answer.status() === status)
  const [refused, passed] = [asked(401), asked(200)]
  // The first of these leads the page to ask who it is.
  const once = new Map<string, Fate>([
    ['/v1/cluster', { status: 403, code: 'forbidden' }],
    ['/v1/session', { status: 401, code: 'unauthenticated' }],
  ])
  gateway.fate = (path) => {
    const { pathname } = new URL(path, running.url)
    const fate = once.get(pathname) ?? 'pass'
    once.delete(pathname)
    return fate
  }
  await refused
  await passed
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(ways).toEqual([])
})

test('the page leaves for the sign-in once, however many requests are refused on the way', async ({
  page,
  gateway,
  running,
}) => {
  await openSignedIn(page, running)
  const ways = waysToSignIn(page)
  // The way is open from the first refusal on that comes after the page has left: ten seconds later it would leave again.
  let isRefusedOnTheWay = false
  page.on('response', (answer) => {
    if (answer.status() !== 401 || ways.length === 0) return
    isRefusedOnTheWay = true
    gateway.release()
  })
  gateway.fate = (path) => (path.startsWith('/sign-in') ? 'hold' : 'pass')
  const beganMs = performance.now()
  expect(await requestBy(page, running, 'DELETE', '/v1/session')).toBeLessThan(300)
  await expect.poll(() => isRefusedOnTheWay).toBe(true)
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(page.getByLabel('User name')).toBeVisible()
  // Where the machine stood still for so long the page took it that its user had stayed, and left once more.
  const leavesWithinMs = 10_000
  expect(ways.length).toBeLessThanOrEqual(1 + Math.floor((performance.now() - beganMs) / leavesWithinMs))
})

test('who presses the button of a release after the session has ended reads that nothing was released', async ({
  page,
  gateway,
  running,
}) => {
  await running.hold('ended/a', { owner: 'o', ttlSeconds: 300 })
  await openSignedIn(page, running)
  const dialog = await openRelease(page, running, 'ended/a')
  await fillIn(page, dialog, 'Ask', { name: 'ended/a' })
  const ask = dialog.getByRole('button', { name: 'Ask to resign' })
  gateway.onItsWay = async (method, path) => {
    if (method !== 'POST' || !path.endsWith('/release')) return
    expect(await requestBy(page, running, 'DELETE', '/v1/session')).toBeLessThan(300)
  }
  // The page reads the lease each second, and knows that the session has ended before it knows what became of the act.
  gateway.fate = (path) => (path.endsWith('/release') ? 'hold' : 'pass')
  const refused = page.waitForResponse(
    (answer) => /\/v1\/session$/.test(answer.url()) && answer.status() === 401,
  )
  await ask.click()
  await refused
  gateway.release()
  await expect(page.getByText(/Your last act was refused.*nothing was changed or released/)).toBeVisible()
  await running.free('ended/a', 'o')
})
