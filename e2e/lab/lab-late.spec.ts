/** The lab when answers are late. */
import { test } from '../console/behind-gateway.ts'
import { expect } from '../console/console.ts'
import { as, start } from './lab-page.ts'

test('a run that was started late does not take along a reader who has left the lab', async ({
  browser,
  gateway,
  running,
}) => {
  // An empty list has no field to search in.
  await running.hold('late/row', { ttlSeconds: 600 })
  const page = await as('operator', 'lab-late', browser, running)
  gateway.fate = (path, body) => (path === '/v1/lab/runs' && !body.includes('"runs":') ? 'hold' : 'pass')
  await start(page, 'Playground')
  await expect.poll(() => gateway.spoiled).toBeGreaterThan(0)
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Leases', exact: true })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Leases' })).toBeVisible()
  const started = page.waitForResponse(
    (answer) => answer.request().method() === 'POST' && answer.url().endsWith('/v1/lab/runs'),
  )
  const opened: string[] = []
  page.on('request', (request) => opened.push(new URL(request.url()).pathname))
  gateway.release()
  const { run } = await (await started).json()
  // The page has had the answer for as long as this takes.
  await running.api('DELETE', `/v1/lab/runs/${run}`)
  expect(opened).not.toContain(`/lab/${run}`)
  await page.getByRole('searchbox').fill('typed on')
  await expect(page).toHaveURL(/\/\?q=typed/)
  expect(opened).not.toContain(`/lab/${run}`)
  await page.context().close()
})

test('a viewer reads that no run goes on only when the list was read', async ({
  browser,
  gateway,
  running,
}) => {
  const page = await as('viewer', 'lab-late-viewer', browser, running)
  gateway.fate = (path) => (path === '/v1/lab/runs' ? 'hold' : 'pass')
  await page.reload()
  await expect(page.getByText('Reading the runs…')).toBeVisible()
  await expect(page.getByText('Operators start runs.')).toBeVisible()
  await expect(page.getByText('None is running now.')).toHaveCount(0)
  gateway.release()
  await page.context().close()
})
