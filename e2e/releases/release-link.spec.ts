/** A release under its permalink, as it is pasted into an incident's chat. */
import { expect, test } from '../console/console.ts'
import { browserOf } from './releasing.ts'

const lena = { username: 'lena', password: 'a password of lena' }

test('a viewer who opens the link sees the release, and no button that a viewer may not press', async ({
  browser,
  running,
}) => {
  await running.addUser({ ...lena, role: 'viewer' })
  await running.hold('link/seen', { owner: 'victim' })
  // Before the plan is made, which is good for a minute.
  const page = await browserOf(browser, running, lena)
  const { id } = (await running.api('POST', '/v1/leases/link%2Fseen/release-plan', {})).body
  await page.goto(`${running.url}/releases/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plan: link/seen, not carried out')
  await expect(page.getByRole('cell', { name: 'victim' }).first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('button')).toHaveText(['Copy link', ''])
  await page.goto(`${running.url}/releases/${id}?plan=1`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Plan: link/seen')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.context().close()
})

test('nothing was released: the link says so, in page and tab, with one table of the lease now', async ({
  page,
  running,
}) => {
  await running.hold('link/changed', { owner: 'old holder' })
  const { id, plan } = (await running.api('POST', '/v1/leases/link%2Fchanged/release-plan', {})).body
  await running.free('link/changed', 'old holder')
  await running.hold('link/changed', { owner: 'new holder' })
  const body = { plan, mode: 'kill', reason: 'INC-8', confirmName: 'link/changed' }
  // 202: the answer did not come within two seconds. Until it has come the new holder must be there.
  const { status } = await running.api('POST', '/v1/leases/link%2Fchanged/release', body)
  expect([409, 202]).toContain(status)
  const outcome = async () => (await running.api('GET', `/v1/releases/${id}`)).body.outcome
  await expect.poll(outcome, { timeout: 90_000 }).toBe('holder-changed')
  await running.free('link/changed', 'new holder')
  await running.hold('link/changed', { owner: 'third holder' })
  await page.goto(`${running.url}/releases/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Not killed: link/changed, the holder had changed',
  )
  await expect(page).toHaveTitle('Not killed: link/changed, the holder had changed · Leasehold')
  await expect(page.getByRole('main')).not.toContainText('Forced release')
  await expect(page.getByRole('columnheader', { name: /^Now/ })).toHaveCount(1)
  await expect(page.getByRole('row').filter({ hasText: 'Owner' }).getByRole('cell').nth(1)).toContainText(
    'third holder',
  )
  await expect(page.getByText(/new holder held it\./).first()).toBeVisible()
})
