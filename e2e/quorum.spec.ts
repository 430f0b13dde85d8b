/**
 * Two of three replicas are gone: Cassandra answers each read and write that it has no quorum. The keyspace of this console is
 * given three replicas where one node lives, which is the same to every coordinator, and gets its one replica back.
 */
import { driver, expect, openSignedIn, rowOf, test } from './console.ts'

/** The stream of a viewer who is no browser: whether it ever ends, and what it said. */
async function follow(url: string, cookie: string) {
  const leaving = new AbortController()
  const response = await fetch(`${url}/v1/watch?prefix=quorum/`, {
    headers: { cookie },
    signal: leaving.signal,
  })
  const stream = { text: '', hasEnded: false, leave: () => leaving.abort() }
  const read = async () => {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
      stream.text += new TextDecoder().decode(part)
    stream.hasEnded = true
  }
  void read().catch(() => {
    stream.hasEnded = true
  })
  return stream
}

test('without a quorum rows are stale with their age, acts are locked, no stream ends; with it again, all of it recovers', async ({
  page,
  running,
}) => {
  const client = await driver()
  const replicas = (count: number) =>
    client.execute(
      `ALTER KEYSPACE ${running.keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': '${count}'}`,
      [],
      { prepare: false },
    )
  await running.hold('quorum/kept', { owner: 'holder', ttlSeconds: 600, value: 'v' })
  await openSignedIn(page, running, '/?prefix=quorum/')
  const row = rowOf(page, 'quorum/kept')
  await expect(row).toContainText(/confirmed/)
  await page.evaluate(() => document.body.setAttribute('data-test-loaded', 'once'))
  const cookies = await page.context().cookies(running.url)
  const stream = await follow(running.url, cookies.map(({ name, value }) => `${name}=${value}`).join('; '))
  await expect.poll(() => stream.text).toContain('event: heartbeat')

  try {
    const lostMs = Date.now()
    await replicas(3)
    await expect(row).toContainText(/stale \d+ s/)
    console.log(`rows were stale ${Date.now() - lostMs} ms after the quorum was lost`)
    const alarm = page.getByRole('alert').filter({ hasText: /No quorum|has not answered/ })
    await expect(alarm).toBeVisible()
    await expect(page).toHaveTitle(/^⚠ No (quorum|answer)/)
    await row.hover()
    await expect(row.getByRole('button', { name: /Locked/ })).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByRole('button', { name: /New lease/ })).toHaveAttribute('aria-disabled', 'true')
    await expect(row, 'what was known is still shown').toContainText('holder')
    await expect.poll(() => stream.text).toContain('"kind":"lost"')
    expect((await running.api('GET', '/v1/leases')).status).toBe(503)

    await replicas(1)
    await expect(alarm).toHaveCount(0)
    await expect(row).not.toContainText('stale')
    await expect(row).toContainText(/confirmed/)
    await running.hold('quorum/kept', { owner: 'holder', ttlSeconds: 600, value: 'after' })
    await expect(row).toContainText('after')
    await row.hover()
    await expect(row.getByRole('button', { name: /Release/ })).not.toHaveAttribute('aria-disabled')
    await expect(page.locator('body'), 'the page was not loaded again').toHaveAttribute(
      'data-test-loaded',
      'once',
    )
    const said = stream.text
    expect(said.lastIndexOf('"kind":"good"')).toBeGreaterThan(said.lastIndexOf('"kind":"lost"'))
    expect(stream.hasEnded).toBe(false)
    expect(said.match(/event: snapshot/g)).toHaveLength(1)
  } finally {
    await replicas(1)
    stream.leave()
    await client.shutdown()
  }
})
