/** The lab when answers are late. */
import { test } from '../console/behind-gateway.ts'
import { expect } from '../console/console.ts'
import { as, startButton } from './lab-page.ts'

test('a run that was started late does not take along a reader who has left the lab', async ({
  browser,
  gateway,
  running,
}) => {
  // An empty list has no field to search in.
  await running.hold('late/row', { ttlSeconds: 600 })
  const page = await as('operator', 'lab-late', browser, running)
  gateway.fate = (path, body) => (path === '/v1/lab/runs' && !body.includes('"runs":') ? 'hold' : 'pass')
  await startButton(page, 'Playground').click()
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
  // By the page itself: it waits for an answer for four seconds, and then says that the list was not read.
  await page.addInitScript(() => {
    const said = new Set<string>()
    Object.assign(window, { said })
    new MutationObserver(() => {
      const shown = document.body?.innerText ?? ''
      for (const words of ['Reading the runs…', 'Operators start runs.', 'None is running now.'])
        if (shown.includes(words)) said.add(words)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  await page.reload()
  const said = () => page.evaluate(() => [...(window as unknown as { said: Set<string> }).said])
  await expect.poll(said).toEqual(expect.arrayContaining(['Reading the runs…', 'Operators start runs.']))
  expect(await said()).not.toContain('None is running now.')
  gateway.release()
  await page.context().close()
})
