/** What a page costs that nothing happens on: it may stand open all day, on a laptop without its cable. */
import { expect, test } from '../console/console.ts'

test('a page without countdowns is laid out a few times a second at most, for its ages and its clock', async ({
  page,
  running,
}) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const layouts = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN
  }
  for (const path of ['/audit', '/docs', '/doctor', '/settings/tokens', '/settings/users']) {
    await page.goto(running.url + path)
    await expect(page.getByText(/^SERIAL read/)).toBeVisible()
    // Tenths of a second, in one of its texts, are ten a second, for as long as it is open.
    let [before, atMs] = [Number.NaN, 0]
    const aSecond = async () => {
      const [now, nowMs] = [await layouts(), performance.now()]
      const rate = (1_000 * (now - before)) / (nowMs - atMs)
      before = now
      atMs = nowMs
      return rate
    }
    await expect.poll(aSecond, { message: path, intervals: [1_000], timeout: 120_000 }).toBeLessThan(8)
  }
})
