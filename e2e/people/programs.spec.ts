/** The API as programs use it, over real HTTP: waiting, leaving in the middle, a server that ends meanwhile. */
import { expect, test } from '../console/console.ts'
import { type RunningConsole, startConsole } from '../console/running-console.ts'

type Headers = { authorization: string }

async function programOf(running: RunningConsole): Promise<Headers> {
  const { body } = await running.api('POST', '/v1/tokens', { name: 'e2e', prefixes: [''], tables: ['*'] })
  return { authorization: `Bearer ${body.token}` }
}

/** While Cassandra is too busy to answer it is 503. No connection is kept: the console closes it after five seconds. */
async function send(url: string, init: RequestInit & { headers: Headers }): Promise<Response> {
  const asked = { ...init, headers: { ...init.headers, connection: 'close' } }
  let response = await fetch(url, asked)
  for (let tries = 1; response.status === 503 && tries < 10; tries++) response = await fetch(url, asked)
  return response
}

/** Until so many requests wait in the server. */
const untilWaiting = ({ url }: RunningConsole, headers: Headers, count: number) =>
  expect
    .poll(async () => (await send(`${url}/metrics`, { headers })).text())
    .toMatch(new RegExp(`^leasehold_open_waits ${count}$`, 'm'))

test('a waiting program gets the answer when the lock is released; one that left is not elected', async ({
  running,
}) => {
  const headers = await programOf(running)
  const put = (owner: string) =>
    send(`${running.url}/v1/locks/mon_lock`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ owner }),
    })
  // 200: sent again, it met the lease that it had acquired.
  expect([200, 201]).toContain((await put('first')).status)
  expect((await put('second')).status).toBe(409)

  const waiting = send(`${running.url}/v1/locks/mon_lock?wait=60s&since=first`, { headers })
  const campaign = (candidate: string, signal?: AbortSignal) =>
    send(`${running.url}/v1/elections/mon_lock?wait=60s`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ owner: candidate }),
      signal: signal ?? null,
    })
  const leaving = new AbortController()
  const left = expect(campaign('left', leaving.signal)).rejects.toThrow(/abort/i)
  await untilWaiting(running, headers, 2)
  leaving.abort()
  await left
  await untilWaiting(running, headers, 1)
  const staying = campaign('stayed')
  await untilWaiting(running, headers, 2)

  const released = await send(`${running.url}/v1/locks/mon_lock?owner=first`, {
    method: 'DELETE',
    headers,
  })
  expect(released.status).toBe(204)
  const answer = await staying
  expect(answer.status).toBe(201)
  expect(await answer.json()).toMatchObject({ owner: 'stayed' })
  // Its answer says that the lock is free, or who has it next.
  const seen = await waiting
  expect([200, 404]).toContain(seen.status)
  if (seen.status === 200) expect((await seen.json()).owner).toBe('stayed')
  const election = await send(`${running.url}/v1/elections/mon_lock`, { headers })
  expect((await election.json()).leader).toBe('stayed')
})

test('a server that ends answers waiting requests first, and does not hang on them', async ({
  running: { keyspace },
}) => {
  const running = await startConsole({ keyspace })
  try {
    const { owner } = await running.hold('kept')
    const headers = await programOf(running)
    const waiting = send(`${running.url}/v1/locks/kept?wait=60s&since=${encodeURIComponent(owner)}`, {
      headers,
    })
    await untilWaiting(running, headers, 1)
    await running.server.stop()
    // Not by SIGKILL, which npm start sends after 10 s.
    expect(await running.server.exited).toMatchObject({ code: 143, signal: null })
    expect((await (await waiting).json()).owner).toBe(owner)
  } finally {
    await running.stop()
  }
})
