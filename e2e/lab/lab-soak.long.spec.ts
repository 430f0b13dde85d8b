/**
 * A run of eight candidates at the smallest TTL, watched in Chromium for as long as a run lasts: no frame in which our scripts work
 * for more than 50 ms of processor time, and a heap that grows by the journal alone. `LAB_SOAK_MINUTES` makes it shorter (15).
 */

import { scriptFrames } from '../browser/script-frames.ts'
import { expect, test } from '../console/console.ts'
import { as, lanes } from './lab-page.ts'

const minutes = Number(process.env.LAB_SOAK_MINUTES ?? 15)
/** When the page has loaded all of its code, and the lanes are full. */
const warmUpMs = 40_000
const sampleMs = 20_000
const frameMs = 50
/** Of the journal, that a page of it holds. */
const pageOfEntries = 5_000
/** What a browser keeps of an entry, and of the rows that show it. */
const bytesAnEntry = 4_000
const slackBytes = 4e6

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
  const entries = async () => {
    for (let from = 0; ; from += pageOfEntries) {
      const { body } = await running.api('GET', `/v1/lab/runs/${run}?from=${from}`)
      if (body.nextFrom === null) return from + body.entries.length
    }
  }
  const heaps = [await heap()]
  const first = await entries()
  const untilMs = Date.now() + minutes * 60_000 - warmUpMs - sampleMs
  const frames: number[] = []
  while (Date.now() < untilMs) {
    frames.push(...(await scriptFrames(page, () => page.waitForTimeout(sampleMs))))
    heaps.push(await heap())
  }
  const grown = (heaps.at(-1) as number) - (heaps[0] as number)
  const written = (await entries()) - first
  const longest = frames.toSorted((a, b) => b - a)
  console.log(
    `${written} entries; heap, MB: ${heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(' ')}; ${frames.length} frames with work of scripts, the longest ${longest
      .slice(0, 10)
      .map((ms) => ms.toFixed(0))
      .join(', ')} ms of processor time`,
  )
  expect(longest[0]).toBeLessThan(frameMs)
  expect(grown).toBeLessThan(written * bytesAnEntry + slackBytes)
  await page.context().close()
})

test('a frame in which scripts work for longer would be noticed', async ({ page }) => {
  await page.goto('about:blank')
  await page.evaluate((workMs) => {
    setInterval(() => {
      for (const untilMs = performance.now() + workMs; performance.now() < untilMs; );
    }, 500)
  }, 3 * frameMs)
  const frames = await scriptFrames(page, () => page.waitForTimeout(3_000))
  expect(Math.max(...frames)).toBeGreaterThan(frameMs)
})
