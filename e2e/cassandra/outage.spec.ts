import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type CassandraNode, SHORT_LIVED, startNode } from '../../scripts/cassandra/node.mjs'
import { roleEnvironment } from '../../scripts/cassandra/roles-file.mjs'
import { expect, openPage, rowOf, signIn } from '../console/console.ts'
import { type RunningConsole, startConsole } from '../console/running-console.ts'
import { workers } from '../console/workers.ts'

/** A node of its own, because it is stopped. */
const dataDir = join(process.env.LEASEHOLD_TEST_DIR ?? '.leasehold-test', 'nodes', 'outage')

const alarmWords = 'has not answered|No quorum'

const cassandraWords = 'Cassandra has not answered'
/** What no page may say while the server answers. */
const serverWords = 'server has not answered'

/** The page itself notes when its alarm first says so: a look from outside comes up to a second later. */
async function noteAlarm(page: Page, words: string): Promise<void> {
  await page.evaluate((words) => {
    const saysSo = ({ textContent }: Element) => new RegExp(words).test(textContent ?? '')
    const observer = new MutationObserver(() => {
      if (![...document.querySelectorAll('[role=alert]')].some(saysSo)) return
      observer.disconnect()
      Object.assign(window, { [words]: Date.now() })
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  }, words)
}

/** undefined: it never said so. */
const alarmAtMs = (page: Page, words: string) =>
  page.evaluate((words) => (window as unknown as Record<string, number | undefined>)[words], words)

/** For how long the machine let a process that does nothing wait, in all: others keep it busy. */
class Stalls {
  static readonly #everyMs = 20
  #lastMs = performance.now()
  #inAllMs = 0
  readonly #timer = setInterval(() => this.#turn(), Stalls.#everyMs)

  end(): number {
    clearInterval(this.#timer)
    this.#turn()
    return Math.round(this.#inAllMs)
  }

  #turn(): void {
    const nowMs = performance.now()
    const lateMs = nowMs - this.#lastMs - Stalls.#everyMs
    // Each turn of an idle machine is a little late too.
    if (lateMs > Stalls.#everyMs) this.#inAllMs += lateMs
    this.#lastMs = nowMs
  }
}

workers(
  'Cassandra stopped under the running console: said within 5 s, stale, locked; back: it recovers',
  async ({ page }) => {
    mkdirSync(dataDir, { recursive: true })
    let node: CassandraNode = await startNode({ dataDir, javaOptions: SHORT_LIVED })
    const running: RunningConsole = await startConsole({
      contactPoint: node.contactPoint,
      keyspace: 'outage',
      env: roleEnvironment(node.roles),
    })
    try {
      await running.hold('kept', { owner: 'holder', ttlSeconds: 600, value: 'v' })
      await signIn(page, running)
      const row = rowOf(page, 'kept')
      await expect(row).toContainText(/confirmed/)

      // How long a change takes to be seen on this machine: a second at most, when nothing else runs.
      const changed = Date.now()
      await running.hold('kept', { owner: 'holder', ttlSeconds: 600, value: 'changed' })
      await expect(row).toContainText('changed')
      const fiveSecondsMs = 4_000 + Math.max(1_000, Date.now() - changed)

      const lease = await page.context().newPage()
      await lease.goto(`${running.url}/leases/kept`)
      await expect(lease.getByRole('timer')).toBeVisible()
      await expect(lease.getByRole('region', { name: 'Now' })).toContainText('changed')

      await noteAlarm(page, alarmWords)
      const stalls = new Stalls()
      const stopped = Date.now()
      const port = node.port
      await node.kill()
      const alarm = page.getByRole('alert').filter({ hasText: new RegExp(alarmWords) })
      await expect(alarm).toBeVisible()
      const stalledMs = stalls.end()
      await expect(page, 'a tab in the background says so as well').toHaveTitle(
        /^⚠ No (quorum|answer) · Leases · Leasehold$/,
      )
      const tookMs = ((await alarmAtMs(page, alarmWords)) ?? Number.NaN) - stopped
      console.log(
        `the page said so ${tookMs} ms after the node was killed; the machine stalled for ${stalledMs} ms`,
      )
      expect(tookMs).toBeLessThanOrEqual(fiveSecondsMs + stalledMs)
      await expect(row).toContainText('holder')
      await expect(row).toContainText(/stale/)
      await row.hover()
      await expect(row.getByRole('button', { name: /Locked/ })).toHaveAttribute('aria-disabled', 'true')
      await expect(page.getByRole('button', { name: /New lease/ })).toHaveAttribute('aria-disabled', 'true')
      const now = lease.getByRole('region', { name: 'Now' })
      await expect(now).toContainText('Whether it is held is unknown right now.')
      await expect(now).toContainText('changed')
      await expect(lease.getByRole('button', { name: /Release/ })).toHaveAttribute('aria-disabled', 'true')
      // A page that is opened now says that it cannot check who asks, and shows nothing.
      const other = await page.context().newPage()
      await other.goto(`${running.url}/leases/kept`)
      await expect(other.getByText(/Cassandra does not answer/).first()).toBeVisible()
      expect((await running.once('GET', '/v1/leases')).status).toBe(503)

      node = await startNode({ dataDir, preferredPort: port, javaOptions: SHORT_LIVED })
      expect(node.port).toBe(port)
      await expect(alarm).toHaveCount(0, { timeout: 180_000 })
      await expect(row).toContainText(/confirmed/)
      await expect(row).toContainText('held')
      await expect(page).toHaveTitle('Leases · Leasehold')
      // Without a reload.
      await expect(now).not.toContainText('Whether it is held is unknown right now.')
      await expect(lease.getByRole('button', { name: 'Release…' })).not.toHaveAttribute(
        'aria-disabled',
        'true',
      )
      await running.hold('kept', { owner: 'holder', ttlSeconds: 600, value: 'after' })
      await expect(now).toContainText('after')
      await expect(other.getByRole('heading', { name: 'kept' })).toBeVisible({ timeout: 120_000 })
      await other.close()

      // A node that is frozen answers nothing, and what waits for it holds the six connections that the browser has for all windows.
      const windows = [page, lease]
      for (const path of ['/attention', '/audit']) {
        const opened = await page.context().newPage()
        await openPage(opened, running, path)
        windows.push(opened)
      }
      for (const each of windows) await noteAlarm(each, serverWords)
      process.kill(node.pid, 'SIGSTOP')
      try {
        const saysFor30s = page.getByRole('alert').filter({ hasText: /for [3-5]\d s/ })
        await expect(saysFor30s).toBeVisible({ timeout: 90_000 })
        for (const each of windows) {
          await expect(each.getByRole('alert').filter({ hasText: cassandraWords })).toBeVisible()
          expect(await alarmAtMs(each, serverWords), each.url()).toBeUndefined()
        }
      } finally {
        process.kill(node.pid, 'SIGCONT')
      }
      for (const each of windows) await expect(each).not.toHaveTitle(/⚠/, { timeout: 180_000 })
    } finally {
      await running.stop()
      await node.stop()
    }
  },
)

workers('the server stopped under the page: a link that leads nowhere says why', async ({ page, plain }) => {
  const running = await startConsole({ keyspace: plain.keyspace })
  try {
    await running.hold('kept/open', { owner: 'holder', ttlSeconds: 600 })
    await signIn(page, running)
    await expect(rowOf(page, 'kept/open')).toContainText(/confirmed/)
    await running.stop()
    const alarm = page.getByRole('alert').filter({ hasText: 'server has not answered' })
    await expect(alarm).toContainText('Other pages cannot be opened until then.')
    const audit = page.getByRole('link', { name: 'Audit' })
    await expect(audit).toHaveAttribute('aria-disabled', 'true')
    await expect(audit).toHaveAttribute('title', /server does not answer/)
    await audit.click({ force: true })
    await expect(alarm).toContainText('The page was not opened.')
    await rowOf(page, 'kept/open').getByText('holder').click()
    await expect(alarm).toContainText('The page was not opened.')
    await expect(rowOf(page, 'kept/open')).toContainText(/stale/)
  } finally {
    await running.stop()
  }
})
