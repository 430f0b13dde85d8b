/** Many windows of one browser: it has six connections to the server, and each window would keep two of them. */
import { expect, openSignedIn, test } from '../console/console.ts'

test('eight windows of a browser stay live beside each other, and a ninth opens', async ({
  page,
  context,
  running,
}) => {
  const { owner } = await running.hold('windows/held', { ttlSeconds: 60 })
  const renewing = setInterval(() => running.hold('windows/held', { ttlSeconds: 60, owner }), 5_000)
  try {
    const windows = [page]
    for (let i = 0; i < 7; i++) windows.push(await context.newPage())
    for (const each of windows) {
      await each.goto(`${running.url}/leases/windows%2Fheld`)
      await expect(each.getByText(/^confirmed/).first()).toBeVisible()
    }
    const { body: before } = await running.api('GET', '/v1/locks/windows%2Fheld')
    // Longer than a silence, and than two renewals.
    await page.waitForTimeout(12_000)
    for (const each of windows) {
      await expect(each.getByText('has not answered')).toHaveCount(0)
      await expect(each.locator('dt:text-is("Version") + dd')).not.toHaveText(before.version)
      await expect(each.getByText(/^confirmed (<1|[1-5]) s ago/).first()).toBeVisible()
    }
    const ninth = await context.newPage()
    await openSignedIn(ninth, running)
    await expect(ninth.getByRole('table', { name: 'Leases' })).toContainText('windows/held')
  } finally {
    clearInterval(renewing)
    await running.free('windows/held', owner)
  }
})
