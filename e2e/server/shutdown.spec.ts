/** SIGTERM of the serving process while people watch and programs wait. */
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from '../console/console.ts'
import { admin, type RunningConsole, startConsole } from '../console/running-console.ts'

async function signedIn({ url }: RunningConsole): Promise<{ cookie: string }> {
  let cookie = ''
  // While Cassandra is too busy to answer it is 503.
  const status = async () => {
    const answer = await fetch(`${url}/v1/session`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    })
    cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] as string
    return answer.status
  }
  await expect.poll(status).toBeLessThan(300)
  return { cookie }
}

/** The head of an answer that goes on until the server ends it. */
const open = (url: string, headers: { cookie: string }) =>
  new Promise<IncomingMessage>((done, fail) => {
    get(url, { headers }, done).once('error', fail)
  })

test('ends by itself, with streams open that are read, streams that are not, and requests that wait', async ({
  running: { keyspace },
}) => {
  const running = await startConsole({ keyspace })
  try {
    const { url } = running
    const headers = await signedIn(running)
    const { owner } = await running.hold('shutdown/held')
    const streams = await Promise.all(Array.from({ length: 12 }, () => open(`${url}/v1/watch`, headers)))
    for (const stream of streams) expect(stream.statusCode).toBe(200)
    // The others are not read.
    const ended = streams
      .slice(0, 6)
      .map((stream) => new Promise((done) => stream.once('close', done).resume()))
    // Its sender hears of the end as of any other: by an answer or by a closed connection.
    const path = `/v1/locks/shutdown%2Fheld?wait=60s&since=${encodeURIComponent(owner)}`
    const waiting = fetch(url + path, { headers }).then(
      ({ status }) => status,
      () => 'closed',
    )
    const metrics = async () => (await fetch(`${url}/metrics`, { headers })).text()
    await expect.poll(metrics).toContain('leasehold_open_waits 1')

    await running.server.stop()

    // Not by SIGKILL, which npm start sends after 10 s.
    expect(await running.server.exited).toMatchObject({ code: 143, signal: null })
    await Promise.all(ended)
    expect([200, 503, 'closed']).toContain(await waiting)
  } finally {
    await running.stop()
  }
})
