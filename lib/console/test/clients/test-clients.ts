/**
 * For tests alone: the programs of docs/clients, taken out of the pages and run as their readers run them, against a
 * console and a Cassandra. They write to the store of docs/clients/README.md, whose account of who wrote what is what is judged.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { FaultProxy } from 'leasehold/testing'
import { afterAll, beforeAll, describe, type ExpectStatic, it, vi } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { root } from '../../../leasehold/test/documentation/doc-blocks.ts'
import { RunningProgram } from '../../../leasehold/test/documentation/running-program.ts'
import { testKeptTtlSeconds, testVariant } from '../../../leasehold/test/node-session.ts'
import { defaultMaxClockSkewMs } from '../../../leasehold/time/index.ts'
import { closeConsole, serverUrl, token } from '../test-doc-prelude.ts'
import { compiled, type Language, writePrograms } from './test-programs.ts'

// All at once: they mostly wait.
vi.setConfig({ maxConcurrency: 8 })

const ttlSeconds = Math.max(10, testKeptTtlSeconds(defaultMaxClockSkewMs))
/** As a program runs that does not know the cluster's Paxos variant. A busy machine renews a lease of this TTL in time. */
const careful = { LEASEHOLD_TTL: '20', CASSANDRA_PAXOS_VARIANT: '' }

const started: RunningProgram[] = []
const proxies: FaultProxy[] = []
let directory: string
let store: RunningProgram
let storeUrl: string

interface Write {
  accepted: boolean
  token: bigint
  /** Of the process that wrote it. */
  by: string
  atMs: number
}
/** What the store says, in its order, for each lock. */
const writes = new Map<string, Write[]>()
const writesOf = (name: string): Write[] => writes.get(`/${encodeURIComponent(name)}`) ?? []

beforeAll(async () => {
  const parent = process.env.LEASEHOLD_TEST_DIR ?? join(root, '.leasehold-test')
  mkdirSync(parent, { recursive: true })
  directory = temporaryFolder('clients', parent)
  writePrograms(directory)
  const port = await freePort()
  storeUrl = `http://127.0.0.1:${port}`
  store = run(['python3', 'store.py', String(port)])
  await vi.waitFor(() => fetch(storeUrl), { timeout: 60_000 })
  let read = 0
  store.onOutput(() => {
    const lines = store.stdout.split('\n').slice(0, -1)
    for (const line of lines.slice(read)) {
      const [, verdict, path = '', fence = '0', by = ''] =
        /^(accepted|refused) (\S+) (\d+) step \d+ by (\d+)$/.exec(line) ?? []
      const list = writes.get(path) ?? []
      list.push({ accepted: verdict === 'accepted', token: BigInt(fence), by, atMs: Date.now() })
      writes.set(path, list)
    }
    read = lines.length
  })
})

afterAll(async () => {
  for (const running of started) running.kill()
  await Promise.all(proxies.map((proxy) => proxy.close()))
  closeConsole()
  if (directory) rmSync(directory, { recursive: true, force: true })
})

/** Runs a command in the folder of the programs. */
export function run(command: readonly string[], env: Record<string, string> = {}): RunningProgram {
  const running = new RunningProgram(command, {
    cwd: directory,
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LANG: 'C.UTF-8',
      LEASEHOLD_SERVER: serverUrl,
      LEASEHOLD_API_TOKEN: token,
      LEASEHOLD_TTL: String(ttlSeconds),
      CASSANDRA_PAXOS_VARIANT: testVariant,
      STORE_URL: storeUrl,
      ...env,
    },
  })
  started.push(running)
  return running
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}

async function api(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const [name = '', query = ''] = path.split('?')
  const answer = await fetch(`${serverUrl}/v1/locks/${encodeURIComponent(name)}?${query}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.text()
  return text === '' ? {} : JSON.parse(text)
}

/** When Cassandra stops showing the lease, by the clock of this machine, which is its coordinator's too. */
/** Of three reads the earliest: one read across the edge of a second shows it a second late. */
const expiryOf = async (name: string): Promise<number> => {
  const seen: number[] = []
  for (let i = 0; i < 3; i++) {
    seen.push(Date.parse((await api('GET', name)).expiresAt as string))
    await seconds(0.1)
  }
  return Math.min(...seen)
}

const tokenOf = ({ stdout }: RunningProgram): bigint => BigInt(/^acquired (\d+)$/m.exec(stdout)?.[1] ?? 0)
const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000))
/** What the store accepted is in the order of the tokens, and each holder's writes stand together. */
function checkOrder(expect: ExpectStatic, name: string, holders: RunningProgram[]): void {
  const accepted = writesOf(name).filter((write) => write.accepted)
  const tokens = accepted.map((write) => write.token)
  expect(tokens).toEqual(tokens.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
  expect([...new Set(tokens)]).toEqual(holders.map(tokenOf))
}

/** Declares the tests of these languages' programs, which run all at once. */
export function testClients(languages: Language[]): void {
  describe.concurrent.each(languages)('$name', ({ name: language, ...program }) => {
    let ready: Promise<string[]> | undefined
    const worker = async (name: string, workSeconds: number, env: Record<string, string> = {}) => {
      ready ??= compiled(program, directory)
      return run([...(await ready), name, String(workSeconds)], env)
    }

    it('a lock goes from one program to the next at once, and from a killed one after its expiry', async ({
      expect,
    }) => {
      const name = `clients/${language}/ünder way`
      // Held by the test until all wait, however long they take to start.
      const held = await api('PUT', name, { ttlSeconds: 600 })
      const handedOn = { LEASEHOLD_TTL: '30' }
      const waiting = await Promise.all([1, 2, 3].map(() => worker(name, 4, handedOn)))
      await Promise.all(waiting.map((each) => each.printed('waiting')))
      await api('DELETE', `${name}?owner=${encodeURIComponent(held.owner as string)}`)
      const next = async () => {
        const holder = await Promise.race(waiting.map((each) => each.printed('acquired').then(() => each)))
        waiting.splice(waiting.indexOf(holder), 1)
        return holder
      }
      const first = await next()
      expect(await first.ended()).toMatchObject({ code: 0, stderr: '' })
      expect(first.stdout).toMatch(/^(waiting: .*\n)+acquired \d+\ndone\n$/)
      const endedAtMs = Date.now()
      const second = await next()
      // Without the release the lease would have lasted for 20 s more at least: it is renewed every 10 s.
      expect(Date.now() - endedAtMs, 'a waiter notices a release').toBeLessThan(18_000)

      await vi.waitFor(
        () => expect(writesOf(name).map((write) => write.token)).toContain(tokenOf(second)),
        60_000,
      )
      second.kill()
      await second.ended()
      const expiryMs = await expiryOf(name)
      const third = await next()
      expect(Date.now()).toBeGreaterThanOrEqual(expiryMs)
      expect(Date.now() - expiryMs, 'a waiter notices an expiry').toBeLessThan(30_000)
      expect(await third.ended()).toMatchObject({ code: 0, stderr: '' })
      checkOrder(expect, name, [first, second, third])
    })

    it('a holder that is stopped, or cut off, reports the loss, and has written nothing after its deadline', async ({
      expect,
    }) => {
      const name = `clients/${language}/cut`
      const proxy = await FaultProxy.listen('127.0.0.1', Number(new URL(serverUrl).port))
      proxies.push(proxy)
      const stopped = await worker(name, 600, careful)
      await stopped.printed('acquired')
      await expect.poll(() => writesOf(name).length).toBeGreaterThan(0)
      stopped.signal('SIGSTOP')
      const cut = await worker(name, 600, { ...careful, LEASEHOLD_SERVER: `http://${proxy.contactPoint}` })
      await cut.printed('acquired')
      stopped.signal('SIGCONT')
      expect(await stopped.ended()).toMatchObject({ code: 121 })
      expect(stopped.stdout).toMatch(/acquired \d+\nlost: /)

      // After a renewal, so that the deadline that counts is the one of a renewal.
      const acquiredAtMs = Date.now()
      await expect
        .poll(() => expiryOf(name), { timeout: 60_000 })
        .toBeGreaterThan(acquiredAtMs + Number(careful.LEASEHOLD_TTL) * 1000)
      proxy.refuse()
      // What the server was carrying out by then is over.
      await seconds(0.5)
      const expiryMs = await expiryOf(name)
      await cut.printed('lost: ')
      expect(Date.now()).toBeLessThan(expiryMs)
      expect(await cut.ended()).toMatchObject({ code: 121 })
      await seconds(0.5)
      // Both programs' lines come through pipes of their own, so in no order among each other.
      const lastWriteMs = Math.max(...writesOf(name).map(({ atMs }) => atMs))
      // The row lives for 19 to 20 s from the send of the renewal, the holder for 18.5 s from its acquisition, because an
      // earlier statement may contend for 6 s. Counted from the renewal, it would write within 1.75 s of the expiry.
      expect(expiryMs - lastWriteMs).toBeGreaterThan(3_000)
      checkOrder(expect, name, [stopped, cut])
    })
  })
}
