/**
 * Claims: the list of leases fetches at most 150 kB of scripts before it shows itself, the sign-in page 110 kB (140 kB of
 * each are Next's and React's own); with 50 rows counting down it leaves the main thread idle for nine tenths of the
 * time; from the list a lease is on screen within 300 ms. Times are those of Chromium on this machine, which Cassandra
 * and the server share; beside them stands a page of the same bytes that does nothing.
 */
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { ensureChromium } from '../../scripts/setup/chromium.mjs'
import { inParallel, summary } from '../measure.mjs'

const rows = 50
const visits = 7
const idleMs = 20_000
const bytesClaimed = { list: 150_000, 'sign-in': 110_000 }
const busyClaimed = 0.1
const openClaimedMs = 300

/** @param {import('../measure.mjs').Bench} bench */
export async function page({ client, consistencies, keyspace, url, headers, root }) {
  const names = Array.from({ length: rows }, (_, i) => `page/row-${String(i).padStart(2, '0')}`)
  // Five in their last minute, where tenths are shown; the others far from their end.
  await inParallel(names, 16, (name) =>
    client.execute(
      `UPDATE ${keyspace}.leases USING TTL ? SET owner = 'bench', value = 'v' WHERE name = ? IF owner = null`,
      [name.endsWith('0') ? 55 + visits * 20 : 3000, name],
      { prepare: true, consistency: consistencies.quorum },
    ),
  )
  const executablePath = await ensureChromium(root, { report: () => {}, logFile: undefined })
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  })
  try {
    const [name, value] = headers.cookie.split('=')
    const signedIn = async () => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      await context.addCookies([{ name, value, url }])
      return context
    }
    const bytes = {
      list: await scriptBytes(await signedIn(), `${url}/?prefix=page/`),
      'sign-in': await scriptBytes(await browser.newContext(), `${url}/sign-in`),
    }
    const still = await stillPage(bytes.list)
    const cold = []
    const warm = []
    const reference = []
    const opened = []
    for (let visit = 0; visit < visits; visit++) {
      const context = await signedIn()
      cold.push(await firstRow(await context.newPage(), `${url}/?prefix=page/`))
      const again = await context.newPage()
      warm.push(await firstRow(again, `${url}/?prefix=page/`))
      opened.push(await openLease(again))
      reference.push(await firstRow(await context.newPage(), still.url))
      await context.close()
    }
    still.close()
    const context = await signedIn()
    const busy = await busyShare(await context.newPage(), `${url}/?prefix=page/`)
    await context.close()
    const open = summary(opened)
    return {
      title: `The list in Chromium, ${rows} rows`,
      rows: [
        ['first row, nothing cached', summary(cold)],
        ['first row, cached', summary(warm)],
        ['a page of the same bytes that does nothing', summary(reference)],
        ['from the list to a lease', open],
      ],
      notes: [
        `scripts before anything is shown, gzipped: list ${bytes.list}, sign-in ${bytes['sign-in']} bytes`,
        `main thread with ${rows} rows counting down: busy for ${(busy * 100).toFixed(1)} %`,
      ],
      claim: `at most ${bytesClaimed.list / 1000} kB of scripts on the list and ${bytesClaimed['sign-in'] / 1000} on the sign-in page; the main thread busy for less than ${busyClaimed * 100} %; a lease open within ${openClaimedMs} ms (p50 ${open.p50.toFixed(0)})`,
      holds:
        bytes.list <= bytesClaimed.list &&
        bytes['sign-in'] <= bytesClaimed['sign-in'] &&
        busy < busyClaimed &&
        open.p50 <= openClaimedMs,
    }
  } finally {
    await browser.close()
  }
}

/** The size of the scripts that the page's HTML names, gzipped, in bytes. */
async function scriptBytes(context, address) {
  const html = await (await context.request.get(address)).text()
  // No browser that runs this console fetches the scripts for browsers without modules.
  const sources = [...html.matchAll(/<script[^>]* src="([^"]+)"[^>]*>/g)]
    .filter(([tag]) => !/nomodule/i.test(tag))
    .map(([, source]) => source)
  const sizes = await Promise.all(
    [...new Set(sources)].map(async (source) => {
      const answer = await context.request.get(new URL(source, address).href)
      return gzipSync(await answer.body()).length
    }),
  )
  await context.close()
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Milliseconds from the start of the navigation to the first row, as the page itself sees it. */
async function firstRow(tab, address) {
  await tab.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('[role=row][data-state]') === null) return
      Object.assign(window, { firstRowMs: performance.now() })
      observer.disconnect()
    }).observe(document, { subtree: true, childList: true })
  })
  await tab.goto(address)
  await tab.waitForFunction(() => 'firstRowMs' in window)
  return tab.evaluate(() => /** @type {any} */ (window).firstRowMs)
}

/** Milliseconds from the click on a name to the lease's countdown. */
async function openLease(tab) {
  // A link that is pressed before the page's scripts run leads to another document.
  await tab.locator('.bar[data-live]').first().waitFor()
  await tab.evaluate(() => {
    const link = document.querySelector('[role=row][data-state] a')
    link?.addEventListener('click', () => Object.assign(window, { clickedMs: performance.now() }), {
      capture: true,
    })
    new MutationObserver((_, observer) => {
      if (document.querySelector('.now .big') === null) return
      Object.assign(window, { openedMs: performance.now() })
      observer.disconnect()
    }).observe(document, { subtree: true, childList: true })
  })
  await tab.locator('[role=row][data-state] a').first().click()
  await tab.waitForFunction(() => 'openedMs' in window)
  return tab.evaluate(() => /** @type {any} */ (window).openedMs - /** @type {any} */ (window).clickedMs)
}

/** The share of a core that the page's main thread uses without any input. */
async function busyShare(tab, address) {
  await firstRow(tab, address)
  const devtools = await tab.context().newCDPSession(tab)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taskSeconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  await tab.waitForTimeout(5000)
  const before = await taskSeconds()
  await tab.waitForTimeout(idleMs)
  return ((await taskSeconds()) - before) / (idleMs / 1000)
}

/** A page with a row in its HTML and one script of so many bytes. */
async function stillPage(bytes) {
  const script = `/*${'x'.repeat(bytes)}*/`
  const server = createServer((request, answer) => {
    if (request.url === '/script.js') answer.setHeader('content-type', 'text/javascript').end(script)
    else
      answer
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><script src="/script.js"></script><div role="row" data-state="held">row</div>')
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}
