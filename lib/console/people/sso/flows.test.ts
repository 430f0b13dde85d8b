import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { Flows } from './flows.ts'

const key = randomBytes(32)
const http = new URL('http://localhost:3000')
let nowMs: number
let flows: Flows

beforeEach(() => {
  nowMs = 1_000_000
  flows = new Flows(key, http, () => nowMs)
})

const wanted = { next: '/leases/x', elevate: false }
const pairOf = (cookie: string) => cookie.split(';')[0] ?? ''

/** A browser's cookies, as it keeps them. */
class Jar {
  readonly #pairs = new Map<string, string>()
  keep(cookies: string[]): void {
    for (const cookie of cookies) {
      const [name = '', value = ''] = pairOf(cookie).split('=')
      if (cookie.includes('Max-Age=0')) this.#pairs.delete(name)
      else this.#pairs.set(name, value)
    }
  }
  get header(): string {
    return [...this.#pairs].map(([name, value]) => `${name}=${value}`).join('; ')
  }
  get size(): number {
    return this.#pairs.size
  }
}

describe('a flow', () => {
  it('comes back as it was made, once', async () => {
    const { flow, cookies } = await flows.begin(wanted, null)
    const header = `theme=dark; ${pairOf(cookies[0] as string)}`
    expect(flow).toMatchObject({ ...wanted, startedAtMs: nowMs })
    // Being looked at uses nothing up.
    expect(flows.find(flow.state, header)).toEqual(flow)
    expect(flows.take(flow.state, header)).toEqual(flow)
    expect(flows.take(flow.state, header)).toBeNull()
    expect(flows.find(flow.state, header)).toBeNull()
  })

  it('is over after ten minutes', async () => {
    const { flow, cookies } = await flows.begin(wanted, null)
    nowMs += 10 * 60_000 - 1
    const early = new Flows(key, http, () => nowMs)
    expect(early.take(flow.state, pairOf(cookies[0] as string))).toEqual(flow)
    nowMs += 1
    expect(flows.take(flow.state, pairOf(cookies[0] as string))).toBeNull()
  })

  it('is refused with another key, under another state, or with a changed bit', async () => {
    const [one, two] = [await flows.begin(wanted, null), await flows.begin(wanted, null)]
    const cookie = pairOf(one.cookies[0] as string)
    expect(new Flows(randomBytes(32), http, () => nowMs).take(one.flow.state, cookie)).toBeNull()
    const moved = cookie.replace(one.flow.state, two.flow.state)
    expect(flows.take(two.flow.state, moved)).toBeNull()
    const sealed = Buffer.from(cookie.split('=')[1] as string, 'base64url')
    for (const at of [0, 12, 28, sealed.length - 1]) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] as number) ^ 1
      expect(
        flows.take(one.flow.state, `${cookie.split('=')[0]}=${changed.toString('base64url')}`),
      ).toBeNull()
    }
    for (const odd of ['', 'x', `${cookie.split('=')[0]}=`, `${cookie.split('=')[0]}=AAAA`])
      expect(flows.take(one.flow.state, odd)).toBeNull()
    expect(flows.take(one.flow.state, cookie)).not.toBeNull()
  })

  it('keeps its secrets to itself', async () => {
    const { flow, cookies } = await flows.begin(wanted, null)
    const sealed = Buffer.from(pairOf(cookies[0] as string).split('=')[1] as string, 'base64url').toString(
      'latin1',
    )
    for (const secret of [flow.verifier, flow.nonce, '/leases']) expect(sealed).not.toContain(secret)
  })
})

describe('the cookie', () => {
  it('is for the sign-on alone, for ten minutes, for no script', async () => {
    const { cookies, flow } = await flows.begin(wanted, null)
    expect(cookies[0]).toMatch(/; Path=\/v1\/sso; HttpOnly; SameSite=Lax; Max-Age=600$/)
    expect(flows.ended(flow.state)).toMatch(/=; Path=\/v1\/sso; HttpOnly; SameSite=Lax; Max-Age=0$/)
    const secure = new Flows(key, new URL('https://console.example'), () => nowMs)
    expect((await secure.begin(wanted, null)).cookies[0]).toMatch(
      /^__Secure-leasehold-sso-.*; Secure; Max-Age=600$/,
    )
  })

  it('is one of four at most, however many sign-ons a browser begins, and below 4 kB', async () => {
    const jar = new Jar()
    const begun: string[] = []
    for (let i = 0; i < 10; i++) {
      nowMs += 1000
      const { flow, cookies } = await flows.begin({ next: `/${'x'.repeat(1000)}`, elevate: true }, jar.header)
      begun.push(flow.state)
      jar.keep(cookies)
      expect(Math.max(...cookies.map(({ length }) => length))).toBeLessThan(4096)
    }
    expect(jar.size).toBe(4)
    expect(begun.map((state) => flows.take(state, jar.header) !== null)).toEqual([
      ...Array(6).fill(false),
      ...Array(4).fill(true),
    ])
  })

  it('leads to the list instead of to a path that does not fit', async () => {
    expect((await flows.begin({ next: `/${'x'.repeat(2000)}`, elevate: false }, null)).flow.next).toBe('/')
  })
})
