/** The processes that send what `api.mjs` and `operations.mjs` measure, and their tokens. */
import { fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * Several tokens: a limit counts for one token.
 *
 * @param {{ url: string, headers: Record<string, string>, password: string }} served headers: get the cookie of a newer session
 * @param {number} count
 */
export async function tokensFor({ url, headers, password }, count) {
  const elevated = await fetch(`${url}/v1/session/elevation`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ password }),
  })
  // Being elevated ends the session before it: the next benchmark goes on with this one.
  headers.cookie = (elevated.headers.get('set-cookie') ?? '').split(';')[0]
  const run = Date.now().toString(36)
  const tokens = []
  for (let i = 0; i < count; i++) {
    const answer = await fetch(`${url}/v1/tokens`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: `bench-${run}-${i}`, prefixes: ['api/'] }),
    })
    if (answer.status !== 201) throw new Error(`No token: ${answer.status} ${await answer.text()}`)
    tokens.push((await answer.json()).token)
  }
  return tokens
}

/** A process that sends. @param {object} options */
export async function loadFrom(options) {
  const child = fork(new URL('./api-load.mjs', import.meta.url))
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`The load ended with exit code ${code}.`)
  })
  exited.catch(() => {})
  /** @returns {Promise<any>} */
  const ask = async (message) => {
    const answered = new Promise((done) => child.once('message', done))
    child.send(message)
    const answer = await Promise.race([answered, exited])
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer
  }
  await ask(options)
  return { run: ask, pid: Number(child.pid), end: () => child.kill() }
}
