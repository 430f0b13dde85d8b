/** What became of a forced release: in its dialog, and under its link. */
import { StatementProxy } from 'leasehold/testing'
import { test as bare, expect, openSignedIn } from '../console/console.ts'
import { startConsole, testContactPoint } from '../console/running-console.ts'
import { browserOf, fillIn, forced, holders, openRelease } from '../releases/releasing.ts'
import { take } from './camera.ts'
import { keepRenewing, test } from './demo.ts'

const owner = 'ip-10-0-3-17:4122:4c1be07d59a2:2a'

test('asked: no answer, never answered, resigned', async ({ page, running }) => {
  const deaf = { owner, ttlSeconds: 30, value: 'page=12' }
  await running.hold('outcome/deaf', deaf)
  const end = keepRenewing(running, 'outcome/deaf', deaf)
  try {
    const dialog = await openRelease(page, running, 'outcome/deaf')
    await dialog.getByLabel('Reason').fill('INC-4481: make room')
    await dialog.getByRole('button', { name: 'Ask to resign' }).click()
    await expect(dialog).toContainText('Asked to resign: outcome/deaf, no answer yet')
    await take(page, 'release-asked', 'dialog')
    await expect(dialog.getByRole('heading', { name: /the holder has not answered/ })).toBeVisible()
    await take(page, 'release-asked-silent', 'dialog')
  } finally {
    end()
  }
  await using people = await holders(running)
  await people.hold('outcome/resigns')
  const dialog = await openRelease(page, running, 'outcome/resigns')
  await dialog.getByLabel('Reason').fill('INC-4482: make room')
  await dialog.getByRole('button', { name: 'Ask to resign' }).click()
  await expect(dialog).toContainText('Asked to resign: outcome/resigns, released early')
  await take(page, 'release-resigned', 'dialog')
})

test('broken: safe in, then the next holder; killed; the holder changed', async ({ page, running }) => {
  const lock = { owner, ttlSeconds: 25, value: 'page=12' }
  await running.hold('outcome/broken', lock)
  let dialog = await openRelease(page, running, 'outcome/broken')
  await fillIn(page, dialog, 'Break', { name: 'outcome/broken', reason: 'INC-4483: pays twice' })
  await running.hold('outcome/broken', lock)
  await dialog.getByRole('button', { name: 'Break the lease' }).click()
  await expect(dialog.getByRole('timer')).toHaveText(/^00:\d\d\.\d$/)
  await take(page, 'release-broken', 'dialog')
  await using people = await holders(running)
  await expect(dialog).toContainText('Broken: outcome/broken, free', { timeout: 60_000 })
  await take(page, 'release-broken-free', 'dialog')
  await people.hold('outcome/broken')
  await expect(dialog.getByRole('heading')).toContainText('now held by')
  await take(page, 'release-broken-held', 'dialog')
  await page.reload()

  await running.hold('outcome/killed', { ...lock, ttlSeconds: 60 })
  dialog = await openRelease(page, running, 'outcome/killed')
  await fillIn(page, dialog, 'Kill', { name: 'outcome/killed', reason: 'INC-4484: its host is gone' })
  await dialog.getByRole('button', { name: 'Kill the lease' }).click()
  await expect(dialog).toContainText('Killed: outcome/killed, free')
  await take(page, 'release-killed', 'dialog')
  await people.hold('outcome/killed')
  await expect(dialog.getByRole('heading')).toContainText('now held by')
  await take(page, 'release-killed-held', 'dialog')

  await running.hold('outcome/changed', lock)
  dialog = await openRelease(page, running, 'outcome/changed')
  await fillIn(page, dialog, 'Kill', { name: 'outcome/changed', reason: 'INC-4485: its host is gone' })
  const kill = dialog.getByRole('button', { name: 'Kill the lease' })
  await page.waitForResponse((answer) => answer.url().endsWith('/v1/leases/outcome%2Fchanged'))
  await running.free('outcome/changed', owner)
  await running.hold('outcome/changed', {
    owner: 'ip-10-0-3-21:9004:e07b45aa1c38:1',
    ttlSeconds: 60,
    value: 'page=13',
  })
  await kill.dispatchEvent('click')
  await expect(dialog).toContainText('Nothing was released: outcome/changed')
  await take(page, 'release-changed', 'dialog')
})

test('under a link: planned, not killed, killed, no such release', async ({ page, browser, running }) => {
  await running.hold('link/planned', { owner, ttlSeconds: 120, value: 'page=12' })
  const planned = (await running.api('POST', '/v1/leases/link%2Fplanned/release-plan', {})).body
  await openSignedIn(page, running, `/releases/${planned.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Plan: link/planned')
  await take(page, 'link-planned')

  await running.hold('link/changed', { owner, ttlSeconds: 120 })
  const { id, plan } = (await running.api('POST', '/v1/leases/link%2Fchanged/release-plan', {})).body
  await running.free('link/changed', owner)
  await running.hold('link/changed', { owner: 'ip-10-0-3-21:9004:e07b45aa1c38:1', ttlSeconds: 120 })
  await running.api('POST', '/v1/leases/link%2Fchanged/release', {
    plan,
    mode: 'kill',
    reason: 'INC-4486',
    confirmName: 'link/changed',
  })
  await page.goto(`${running.url}/releases/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Not killed: link/changed')
  await take(page, 'link-changed')

  await running.hold('link/asked', { owner, ttlSeconds: 120 })
  await page.goto(
    `${running.url}/releases/${await forced(running, 'link/asked', 'ask', 'INC-4487: make room')}`,
  )
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Asked to resign')
  await take(page, 'link-asked')
  await page.goto(
    `${running.url}/releases/${await forced(running, 'link/asked', 'break', 'INC-4487: make room')}`,
  )
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Broken: link/asked')
  await take(page, 'link-broken')
  await running.hold('link/killed', { owner, ttlSeconds: 120 })
  const killed = await forced(running, 'link/killed', 'kill', 'INC-4488: its host is gone')
  await page.goto(`${running.url}/releases/${killed}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Killed: link/killed')
  await take(page, 'link-killed')
  const vic = { username: 'vic', password: 'a password of vic' }
  await running.api('POST', '/v1/users', { ...vic, role: 'viewer' })
  const viewer = await browserOf(browser, running, vic, `/releases/${killed}`)
  await expect(viewer.getByRole('heading', { level: 1 })).toContainText('Killed: link/killed')
  await take(viewer, 'link-seen-by-viewer')
  await viewer.context().close()
  await page.goto(`${running.url}/releases/no-such-release`)
  await expect(page.getByRole('heading', { name: 'There is no such release' })).toBeVisible()
  await take(page, 'link-no-such')
})

bare('a lost answer: unknown, then unclear', async ({ browser }) => {
  const [host = '', port = ''] = testContactPoint().split(':')
  const proxy = await StatementProxy.listen(host, Number(port), {
    fault: ({ cql, values }) =>
      cql.startsWith('DELETE') && values.some((value) => value?.toString() === owner)
        ? { kind: 'swallow-answer' }
        : undefined,
  })
  const running = await startConsole({ contactPoint: proxy.contactPoint })
  try {
    const page = await (await browser.newContext()).newPage()
    await openSignedIn(page, running)
    await running.hold('outcome/unheard', { owner, ttlSeconds: 300 })
    const dialog = await openRelease(page, running, 'outcome/unheard')
    await fillIn(page, dialog, 'Kill', { name: 'outcome/unheard', reason: 'INC-4489: its host is gone' })
    await dialog.getByRole('button', { name: 'Kill the lease' }).click()
    await expect(dialog).toContainText('the outcome is not certain yet')
    await take(page, 'release-unknown', 'dialog')
    proxy.refuse()
    proxy.restore()
    await expect(dialog).toContainText('Kill unclear')
    await take(page, 'release-unclear', 'dialog')
  } finally {
    await running.stop()
    await proxy.close()
  }
})
