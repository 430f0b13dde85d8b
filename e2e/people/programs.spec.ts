/** The API as programs use it, over real HTTP: waiting, leaving in the middle, a server that ends meanwhile. */
import { expect, startConsole, test } from '../console/console.ts'

test('a waiting program gets the answer when the lock is released; one that left is not elected', async ({
  running,
}) => {
  const { body: created } = await running.api('POST', '/v1/tokens', { name: 'e2e', prefixes: [''] })
  const headers = { authorization: `Bearer ${created.token}` }
  const put = await fetch(`${running.url}/v1/locks/mon_lock`, { method: 'PUT', headers })
  expect(put.status).toBe(201)
  const { owner } = await put.json()
  expect((await fetch(`${running.url}/v1/locks/mon_lock`, { method: 'PUT', headers })).status).toBe(409)

  const since = encodeURIComponent(owner)
  const waiting = fetch(`${running.url}/v1/locks/mon_lock?wait=30s&since=${since}`, { headers })
  const leaving = new AbortController()
  const campaign = fetch(`${running.url}/v1/elections/mon_lock?wait=60s`, {
    method: 'POST',
    headers,
    signal: leaving.signal,
  })
  const left = expect(campaign).rejects.toThrow(/abort/i)
  await new Promise((done) => setTimeout(done, 1_000))
  leaving.abort()
  await left
  await new Promise((done) => setTimeout(done, 500))

  const released = await fetch(`${running.url}/v1/locks/mon_lock?owner=${since}`, {
    method: 'DELETE',
    headers,
  })
  expect(released.status).toBe(204)
  expect((await waiting).status).toBe(404)
  // Longer than a waiter takes to notice.
  await new Promise((done) => setTimeout(done, 1_000))
  const election = await fetch(`${running.url}/v1/elections/mon_lock`, { headers })
  expect((await election.json()).leader).toBeNull()
})

test('a server that ends answers waiting requests first, and does not hang on them', async () => {
  const running = await startConsole()
  await running.hold('kept')
  const { body: created } = await running.api('POST', '/v1/tokens', { name: 'e2e', prefixes: [''] })
  const headers = { authorization: `Bearer ${created.token}` }
  const { owner } = await (await fetch(`${running.url}/v1/locks/kept`, { headers })).json()
  const waiting = fetch(`${running.url}/v1/locks/kept?wait=60s&since=${encodeURIComponent(owner)}`, {
    headers,
  })
  await new Promise((done) => setTimeout(done, 500))
  const startedMs = Date.now()
  await running.stop()
  expect(Date.now() - startedMs).toBeLessThan(8_000)
  expect((await (await waiting).json()).owner).toBe(owner)
})
