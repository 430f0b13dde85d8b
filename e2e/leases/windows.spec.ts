/** Many windows of one browser: it has six connections to the server, and each window would keep two of them. */
import { test } from '../console/behind-gateway.ts'
import { expect, openPage, openSignedIn } from '../console/console.ts'

test('six windows of a browser stay live beside each other, and a seventh opens', async ({
  page,
  context,
  running,
}) => {
  const { owner } = await running.hold('windows/held', { ttlSeconds: 60 })
  const renew = () => running.hold('windows/held', { ttlSeconds: 60, owner })
  // While Cassandra is too busy to answer, the next renewal is soon enough.
  const renewing = setInterval(() => renew().catch(() => {}), 5_000)
  try {
    await openSignedIn(page, running)
    const windows = [page]
    for (let i = 0; i < 5; i++) windows.push(await context.newPage())
    for (const each of windows) {
      await each.goto(`${running.url}/leases/windows%2Fheld`)
      await expect(each.getByText(/^confirmed/).first()).toBeVisible()
    }
    // Three renewals take longer than a silence.
    for (let renewal = 0; renewal < 3; renewal++) {
      let before = ''
      // While Cassandra is too busy to answer it is 503.
      const read = async () => {
        const { status, body } = await running.api('GET', '/v1/locks/windows%2Fheld')
        before = body.version
        return status
      }
      await expect.poll(read).toBe(200)
      for (const each of windows) {
        // A window that stands still shows an older one, which is not this one either.
        const version = async () => {
          const text = await each.locator('dt:text-is("Version") + dd').textContent()
          return BigInt(text?.match(/\d+/)?.[0] ?? 0)
        }
        await expect.poll(version).toBeGreaterThan(BigInt(before))
        await expect(each.getByText('has not answered')).toHaveCount(0)
        await expect(each.getByText(/^confirmed (<1|[1-5]) s ago/).first()).toBeVisible()
      }
    }
    const seventh = await context.newPage()
    await openPage(seventh, running)
    await expect(seventh.getByRole('table', { name: 'Leases' })).toContainText('windows/held')
  } finally {
    clearInterval(renewing)
    await running.free('windows/held', owner)
  }
})

test('a window opens beside six whose server is slow: what opens it does not wait behind what they ask in their rhythm', async ({
  page,
  context,
  gateway,
  running,
}) => {
  await running.hold('windows/slow', { ttlSeconds: 600 })
  await openSignedIn(page, running, '/leases/windows%2Fslow')
  gateway.lateByMs = 1_500
  for (let i = 0; i < 5; i++) await openPage(await context.newPage(), running, '/leases/windows%2Fslow')
  const seventh = await context.newPage()
  await openPage(seventh, running)
  await expect(seventh.getByRole('table', { name: 'Leases' })).toContainText('windows/slow')
})
