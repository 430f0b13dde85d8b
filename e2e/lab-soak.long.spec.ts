/**
 * A run of eight candidates at the smallest TTL, watched in Chromium for as long as a run lasts: no frame in which our scripts work
 * for more than 50 ms, and a heap that grows by the journal alone. `LAB_SOAK_MINUTES` makes it shorter (15).
 */
import type { Page } from '@playwright/test'
import { expect, test } from './console.ts'
import { as, lanes } from './lab-page.ts'

const minutes = Number(process.env.LAB_SOAK_MINUTES ?? 15)
/** When the page has loaded all of its code, and the lanes are full. */
const warmUpMs = 40_000
const sampleMs = 20_000
const frameMs = 50
/** What a browser keeps of an entry, and of the rows that show it. */
const bytesAnEntry = 4_000
const slackBytes = 4e6

interface Frame {
  ms: number
  ourMs: number
}

/** Frames that took longer than `frameMs`, and how long scripts of ours worked in each. */
const watchFrames = (page: Page) =>
  page.evaluate((longMs) => {
    const frames: Frame[] = []
    Object.assign(window, { frames })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { scripts } = entry as unknown as { scripts: { duration: number }[] }
        const ourMs = scripts.reduce((sum, { duration }) => sum + duration, 0)
        if (entry.duration > longMs) frames.push({ ms: Math.round(entry.duration), ourMs: Math.round(ourMs) })
      }
    }).observe({ type: 'long-animation-frame' })
  }, frameMs)

test('eight candidates, watched: no long frame of ours, and a heap that grows by the journal alone', async ({
  browser,
  running,
}) => {
  test.setTimeout((minutes + 4) * 60_000)
  const page = await as('operator', 'lab-soaks', browser, running)
  const started = await page.request.post(`${running.url}/v1/lab/runs`, {
    data: { candidates: 8, ttlSeconds: 6 },
    headers: { origin: running.url },
  })
  const { run } = await started.json()
  await page.goto(`${running.url}/lab/${run}`)
  await expect(lanes(page).getByRole('row')).toHaveCount(8)
  await page.waitForTimeout(warmUpMs)
  const devtools = await page.context().newCDPSession(page)
  const heap = async () => {
    await devtools.send('HeapProfiler.collectGarbage')
    return ((await devtools.send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize
  }
  const entries = async () => (await running.api('GET', `/v1/lab/runs/${run}`)).body.entries.length as number
  await watchFrames(page)
  const heaps = [await heap()]
  const first = await entries()
  const untilMs = Date.now() + minutes * 60_000 - warmUpMs - sampleMs
  while (Date.now() < untilMs) {
    await page.waitForTimeout(sampleMs)
    heaps.push(await heap())
  }
  const grown = (heaps.at(-1) as number) - (heaps[0] as number)
  const written = (await entries()) - first
  const frames = await page.evaluate(() => (window as unknown as { frames: Frame[] }).frames)
  const ours = frames.filter(({ ourMs }) => ourMs > frameMs)
  console.log(
    `${written} entries; heap, MB: ${heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(' ')}; frames over ${frameMs} ms: ${frames.length}, of ours: ${ours.length} (${ours.map(({ ms, ourMs }) => `${ourMs} of ${ms}`).join(', ')})`,
  )
  expect(ours).toEqual([])
  expect(grown).toBeLessThan(written * bytesAnEntry + slackBytes)
  await page.context().close()
})
