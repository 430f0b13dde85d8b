import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { serve } from '../../http/router.ts'
import { readConfig } from '../../start/config/config.ts'
import { createConsole } from '../../start/start.ts'
import { password, type TestConsole, testConsole, testEnvironment } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

/** Strangers who guess at a name do not keep out a browser in which its user signed in before. */
const dataDir = temporaryFolder('leasehold-console')
const environment = { LEASEHOLD_DATA_DIR: dataDir, LEASEHOLD_TRUST_PROXY: '1' }
let keyspace: string
let console: TestConsole

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace, environment)
})
afterAll(() => console?.context.session.close())

const signIn = (address: string, given: { username?: string; password?: string; cookie?: string }) =>
  console.api(
    'POST',
    '/v1/session',
    { username: given.username ?? 'admin', password: given.password ?? password },
    { 'x-forwarded-for': address, cookie: given.cookie ?? '' },
  )
const deviceCookies = ({ headers }: { headers: Headers }) =>
  headers.getSetCookie().filter((cookie) => cookie.includes('-device-'))
const deviceOf = (answer: { headers: Headers }) => deviceCookies(answer)[0]?.split(';')[0] as string

/** More guesses, each one doubling the wait, until a new address is refused with the right password. */
async function strangersWait(cookie = '') {
  const { attempts } = console.context
  for (let i = 0; i < 12; i++) {
    try {
      attempts.begin({ by: 'stranger', account: 'admin', address: `203.0.113.${i}` })
    } catch {
      // The account waits already.
    }
    if ((await signIn(`192.0.2.${100 + i}`, { cookie })).status === 429) return
  }
  expect.unreachable('strangers are let in')
}

/** Fifty guesses from as many addresses: from now on the account makes strangers wait. */
async function guess(username = 'admin') {
  for (let i = 0; i < 50; i++) {
    const { status } = await signIn(`198.51.100.${i}`, { username, password: 'a guess of many' })
    if (status === 429) return
  }
}

describe('a device', () => {
  it('is let in from a new address while strangers guess, and its own guesses are limited', async () => {
    const first = await signIn('192.0.2.1', {})
    const [set] = deviceCookies(first)
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=31536000'])
      expect(set).toContain(part)
    expect(set).not.toContain('Secure')
    const cookie = deviceOf(first)
    await guess()
    await strangersWait()
    const again = await signIn('192.0.2.3', { cookie })
    expect(again.status).toBe(200)
    // Of the right user alone.
    await strangersWait(cookie.replace(/.$/, ''))
    const guesses: number[] = []
    // The first waits are shorter than a try on a busy machine. They double.
    while (guesses.at(-1) !== 429 && guesses.length < 20)
      guesses.push(
        (await signIn(`192.0.2.${10 + guesses.length}`, { cookie, password: 'a guess of many' })).status,
      )
    expect(guesses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
    expect(guesses.at(-1)).toBe(429)
  })

  it('signs in while a stranger at its address sends requests in a loop', async () => {
    const { users } = console.context
    await users.create('cara', password, 'operator')
    const address = '192.0.2.77'
    const cookie = deviceOf(await signIn('192.0.2.76', { username: 'cara' }))
    const made = `${cookie.split('=')[0]}=made.up.cookie`
    const take = (header: string) =>
      console.context.requestLimits.take(null, address, () => console.context.devices.known(header))
    let strangers = 0
    // All of them within one second, or the stranger may send again: too slow proves nothing.
    for (let tries = 0; tries < 20 && strangers !== 429; tries++) {
      for (let i = 0; i < 250; i++) await take(made).catch(() => {})
      const [stranger, device] = await Promise.all([
        signIn(address, { username: 'cara', cookie: made }),
        signIn(address, { username: 'cara', cookie }),
      ])
      expect(device.status).toBe(200)
      strangers = stranger.status
    }
    expect(strangers).toBe(429)
  })

  it('is known after a restart, until the password changes, and to its own user alone', async () => {
    const { users } = console.context
    await users.create('ann', password, 'operator')
    await users.create('bob', password, 'operator')
    const cookie = deviceOf(await signIn('192.0.2.30', { username: 'ann' }))
    const other = deviceOf(await signIn('192.0.2.31', { username: 'bob' }))
    const [name] = cookie.split('=')
    const find = (header: string) => console.context.devices.find('ann', header, (user) => users.find(user))
    const id = await find(cookie)
    expect(id).not.toBeNull()
    expect(await find(`${name}=${other.slice(other.indexOf('=') + 1)}`)).toBeNull()
    const restarted = await createConsole(
      readConfig({ ...testEnvironment(keyspace, environment), ...credentials(console) }),
    )
    try {
      expect(await restarted.devices.find('ann', cookie, (user) => users.find(user))).toBe(id)
      const body = JSON.stringify({ username: 'ann', password })
      const headers = { origin: 'http://localhost:3000', 'content-type': 'application/json', cookie }
      const request = new Request('http://localhost:3000/v1/session', { method: 'POST', headers, body })
      expect(deviceOf(await serve(request, restarted)).split('=')[0]).toBe(name)
    } finally {
      await restarted.session.close()
    }
    await users.setPassword('ann', 'another long password')
    expect(await find(cookie)).toBeNull()
  })
})

/** The roles of the console that runs, where the node asks for some. */
function credentials({ context }: TestConsole): Record<string, string> {
  const { username, password: secret } = context.config.cassandra
  return username === undefined ? {} : { CASSANDRA_USERNAME: username, CASSANDRA_PASSWORD: secret ?? '' }
}
