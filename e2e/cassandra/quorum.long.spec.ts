/** Two of three nodes are gone: the third one answers that it has no quorum. They come back, and so does all of the page. */
import { join } from 'node:path'
import { startThreeNodes } from '../../scripts/cassandra/cluster/three-nodes.mjs'
import { expect, openSignedIn, rowOf } from '../console/console.ts'
import { startConsole } from '../console/running-console.ts'
import { workers } from '../console/workers.ts'

const dataDir = join(process.env.LEASEHOLD_TEST_DIR ?? '.leasehold-test', 'nodes', 'quorum')

/** The stream of a viewer who is no browser: whether it ever ends, and what it said. */
async function follow(url: string, cookie: string) {
  const leaving = new AbortController()
  const response = await fetch(`${url}/v1/watch?prefix=quorum/`, {
    headers: { cookie },
    signal: leaving.signal,
  })
  const stream = { text: '', hasEnded: false, leave: () => leaving.abort() }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
      stream.text += decoder.decode(part, { stream: true })
  }
  void read()
    .catch(() => {})
    .finally(() => {
      stream.hasEnded = true
    })
  return stream
}

workers(
  'without a quorum rows are stale with their age, acts are locked, no stream ends; with it again, all of it recovers',
  async ({ page }) => {
    workers.setTimeout(900_000)
    const nodes = await startThreeNodes({ dataDir })
    const running = await startConsole({
      contactPoint: nodes.contactPoint,
      keyspace: 'quorum',
      env: { CASSANDRA_REPLICATION: '3', CASSANDRA_USERNAME: 'anyone', CASSANDRA_PASSWORD: 'none' },
    })
    try {
      await running.hold('quorum/kept', { owner: 'holder', ttlSeconds: 1200, value: 'v' })
      await openSignedIn(page, running, '/?prefix=quorum/')
      const row = rowOf(page, 'quorum/kept')
      await expect(row).toContainText(/confirmed/)
      await page.evaluate(() => document.body.setAttribute('data-test-loaded', 'once'))
      const cookies = await page.context().cookies(running.url)
      const stream = await follow(
        running.url,
        cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      )
      await expect.poll(() => stream.text).toContain('event: heartbeat')

      await nodes.kill(1)
      await expect(row, 'two of three are a quorum').not.toContainText('stale')
      const lostMs = Date.now()
      await nodes.kill(2)
      await expect(row).toContainText(/stale \d+ s/)
      console.log(`rows were stale ${Date.now() - lostMs} ms after the second node was killed`)
      const alarm = page.getByRole('alert').filter({ hasText: /No quorum|has not answered/ })
      await expect(alarm).toBeVisible()
      await expect(page).toHaveTitle(/^⚠ No (quorum|answer)/)
      await row.hover()
      await expect(row.getByRole('button', { name: /Locked/ })).toHaveAttribute('aria-disabled', 'true')
      await expect(page.getByRole('button', { name: /New lease/ })).toHaveAttribute('aria-disabled', 'true')
      await expect(row, 'what was known is still shown').toContainText('holder')
      await expect.poll(() => stream.text).toContain('"kind":"lost"')

      await nodes.start(1)
      await expect(alarm).toHaveCount(0, { timeout: 120_000 })
      await expect(row).not.toContainText('stale')
      await expect(row).toContainText(/confirmed/)
      await expect
        .poll(async () => (await running.api('GET', '/v1/leases/quorum%2Fkept')).status, { timeout: 120_000 })
        .toBe(200)
      await row.hover()
      await expect(row.getByRole('button', { name: /Release/ })).not.toHaveAttribute('aria-disabled')
      await expect(page.locator('body'), 'the page was not loaded again').toHaveAttribute(
        'data-test-loaded',
        'once',
      )
      expect(stream.text.lastIndexOf('"kind":"good"')).toBeGreaterThan(
        stream.text.lastIndexOf('"kind":"lost"'),
      )
      expect(stream.hasEnded).toBe(false)
      expect(stream.text.match(/event: snapshot/g)).toHaveLength(1)
      stream.leave()
    } finally {
      await running.stop()
      await nodes.stop()
    }
  },
)
