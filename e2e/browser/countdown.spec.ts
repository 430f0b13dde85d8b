import { existsSync, readFileSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '../console/console.ts'
import { driver, type RunningConsole } from '../console/running-console.ts'

interface Seen {
  name: string
  atMs: number
  text: string
}

/** How long a thread has waited for a processor, all together. */
interface Wait {
  atMs: number
  waitedMs: number
}

/**
 * A machine that stands still for a moment makes a page late, never right, and on a busy one hardly a round of seven seconds is
 * without such a moment. A page that is wrong is so again: each of the twenty fractions of a second has to be on time
 * once within these rounds, and half of all rows, so that luck does not do it. A page cannot be on time while it
 * waits for a processor, nor is it known when Cassandra stopped showing a row while a read is under way: so much
 * is taken off.
 */
const rounds = 6
const ttlSeconds = 10
/** With the noise of an idle machine, some 15 ms, it is 100. */
const limitMs = 85

// Recording what the page does would slow it down.
test.use({ trace: 'off', screenshot: 'off' })

test('reaches zero within 100 ms of the moment at which Cassandra stops showing the row', async ({
  page,
  running,
}) => {
  const all: number[] = []
  let best: number[] = Array.from({ length: 20 }, () => Number.POSITIVE_INFINITY)
  for (let round = 1, asked = 1; round <= rounds && Math.max(...best) > limitMs; asked++) {
    const rows = await measure(page, running, `zero${asked}/`)
    if (rows === null) {
      expect(asked, 'rounds that were too slow to measure anything').toBeLessThan(2 * rounds)
      continue
    }
    round++
    console.log(
      `zero of the page minus zero of Cassandra, ms: ${rows.map(({ offsetMs, noiseMs }) => `${offsetMs}±${noiseMs}`).join(' ')}`,
    )
    const sizes = rows.map(({ offsetMs, noiseMs }) => Math.max(0, Math.abs(offsetMs) - noiseMs))
    all.push(...sizes)
    best = best.map((ms, fraction) => Math.min(ms, sizes[fraction] as number))
  }
  expect(Math.max(...best), 'the worst of 20 fractions of a second, each at its best').toBeLessThanOrEqual(
    limitMs,
  )
  expect(all.toSorted((a, b) => a - b)[all.length / 2], 'the median of all').toBeLessThanOrEqual(limitMs)
})

/**
 * Twenty leases, written at twenty different fractions of a second, seen through to their end. null: the first had ended before
 * Cassandra was asked, which proves nothing.
 */
async function measure(page: Page, running: RunningConsole, prefix: string) {
  const client = await driver()
  const names = Array.from({ length: 20 }, (_, i) => `${prefix}${i}`)
  await page.goto(`${running.url}/?prefix=${prefix}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The page itself notes when a row begins to say that it verifies, and what it says then and after.
  await page.evaluate(() => {
    const seen: Seen[] = []
    const last = new Map<string, string>()
    Object.assign(window, { seen })
    const look = () => {
      for (const row of document.querySelectorAll('[role=row][data-state]')) {
        const name = row.querySelector('a')?.textContent ?? ''
        const state = row.getAttribute('data-state') ?? ''
        if (last.get(name) === state) continue
        last.set(name, state)
        seen.push({ name, atMs: performance.timeOrigin + performance.now(), text: row.textContent ?? '' })
      }
    }
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    })
  })
  const waits = await waitsOf(page)
  // Written at twenty different fractions of a second, over seven seconds.
  const until = (atMs: number) => new Promise((done) => setTimeout(done, Math.max(0, atMs - Date.now())))
  const start = Math.ceil(Date.now() / 1000) * 1000
  for (const [i, name] of names.entries()) {
    await until(start + i * 350)
    await client.execute(
      `UPDATE ${running.keyspace}.leases USING TTL ${ttlSeconds} SET owner = 'o', value = 'v' WHERE name = ? IF owner = null`,
      [name],
    )
  }
  if (Date.now() > start + (ttlSeconds - 1) * 1000) {
    waits.end()
    await client.shutdown()
    return null
  }
  // When does Cassandra stop showing each? It does so at whole seconds, so that it is asked around these alone: asking
  // all the time would slow down the page that is measured.
  const gone = new Map<string, { atMs: number; withinMs: number }>()
  while (gone.size < names.length) {
    await until(Math.ceil((Date.now() + 30) / 1000) * 1000 - 20)
    const untilMs = Date.now() + 150
    const before = gone.size
    let shownMs = Date.now()
    // All rows of one second go at once: after the first, the machine is left to the page.
    while (Date.now() < untilMs && gone.size === before) {
      const sentMs = Date.now()
      const { rows } = await client.execute(`SELECT name FROM ${running.keyspace}.leases`)
      const shown = new Set(rows.map((row) => row.name))
      const atMs = Date.now()
      for (const name of names)
        if (!shown.has(name) && !gone.has(name)) gone.set(name, { atMs, withinMs: atMs - shownMs })
      shownMs = sentMs
      await new Promise((done) => setTimeout(done, 5))
    }
  }
  await client.shutdown()
  // Leases that end in the same second are said to be gone in any order.
  await page.waitForFunction(
    (names) => {
      const { seen } = window as unknown as { seen: Seen[] }
      return names.every((name) => seen.some((each) => each.name === name && each.text.includes('gone')))
    },
    names,
    { timeout: 60_000 },
  )
  const seen = await page.evaluate(() => (window as unknown as { seen: Seen[] }).seen)
  waits.end()
  return names.map((name) => {
    const said = seen.filter((each) => each.name === name)
    // The server reads a row at its zero too, and may say that it is gone before a busy page has drawn its own zero.
    const ended = said.find(({ text }) => /verifying|gone/.test(text))
    expect(ended, `${name}: ${said.map(({ text }) => text).join(' | ')}`).toBeDefined()
    const goneAt = said.findIndex(({ text }) => text.includes('gone'))
    expect(goneAt, `${name} was said to be gone`).toBeGreaterThanOrEqual(said.indexOf(ended as Seen))
    const { atMs } = ended as Seen
    const zero = gone.get(name) as { atMs: number; withinMs: number }
    const noiseMs = zero.withinMs + waits.between(zero.atMs - zero.withinMs, atMs)
    return { offsetMs: Math.round(atMs - zero.atMs), noiseMs: Math.round(noiseMs) }
  })
}

/**
 * How long the page's main thread waits for a processor, as Linux counts it: the machine is to blame for that, and not the page. (An empty
 * page's timers do not tell: a process that sleeps is let in first, one that draws waits for a second.) Elsewhere the
 * machine has to be idle.
 */
async function waitsOf(page: Page) {
  const waits: Wait[] = []
  if (!existsSync('/proc/self/schedstat')) return { end: () => {}, between: () => 0 }
  const devTools = await (page.context().browser() as Browser).newBrowserCDPSession()
  const { processInfo } = await devTools.send('SystemInfo.getProcessInfo')
  await devTools.detach()
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  // The browser keeps an empty one in reserve.
  const { id } = renderers.toSorted((a, b) => b.cpuTime - a.cpuTime)[0] as (typeof renderers)[number]
  const look = () => {
    const [, waitedNs] = readFileSync(`/proc/${id}/task/${id}/schedstat`, 'utf8').split(' ')
    waits.push({ atMs: performance.timeOrigin + performance.now(), waitedMs: Number(waitedNs) / 1e6 })
  }
  look()
  const timer = setInterval(look, 20)
  return {
    end: () => {
      clearInterval(timer)
      look()
    },
    between: (fromMs: number, toMs: number) => {
      const from = waits.findLast(({ atMs }) => atMs <= fromMs) as Wait
      const to = waits.find(({ atMs }) => atMs >= toMs) as Wait
      return Math.max(0, to.waitedMs - from.waitedMs)
    },
  }
}
