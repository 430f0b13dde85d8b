/** What the tests of single sign-on share: a provider that may lie, and a console that has it as its provider. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { RequestLimits } from '../../../http/limits/request-limits.ts'
import { serve } from '../../../http/router.ts'
import type { ConsoleContext } from '../../../start/context.ts'
import { routesOf } from '../../../start/handlers.ts'
import { type TestConsole, testConsole, testOrigin } from '../../../test/test-console.ts'
import { Attempts } from '../../sign-in/attempts.ts'
import { createSso } from '../sso.ts'
import type { SsoConfig } from '../sso-config.ts'
import { clientId, clientSecret, type Liar, startLiar } from './test-liar.ts'

export interface Got {
  status: number
  location: string
  /** `name=value` of each cookie that was set, and of each that was ended. */
  cookies: string[]
  session: string | null
}

/** For `auth_time` and its like, in seconds. */
export const minuteAgoS = () => Math.floor(Date.now() / 1000) - 60

/** The provider is of this process, which may stand still for longer than a provider has for an answer. */
const patientSeconds = 60

/** The cookies of an answer, as a browser sends them back. */
export const sent = ({ cookies }: Got) => cookies.map((cookie) => cookie.split(';')[0]).join('; ')

/** To be made once in a file, outside of tests. Before each test the provider is honest again. */
export class SsoWorld {
  liar!: Liar
  console!: TestConsole
  /** The console that is asked. It remembers no discovery and no tries of the test before. */
  context!: ConsoleContext

  constructor(name: string) {
    beforeAll(async () => {
      this.liar = await startLiar()
      this.console = await testConsole(`sso_${name}_${process.pid}`, { PUBLIC_URL: testOrigin })
    })
    afterAll(async () => {
      await this.liar?.stop()
      this.console?.context.close()
      await this.console?.context.session.close()
    })
    beforeEach(() => {
      this.liar.lie = {}
      this.liar.down = false
      this.liar.asked = []
      this.context = this.contextWith()
    })
    afterEach(() => void vi.restoreAllMocks())
  }

  contextWith(sso: Partial<SsoConfig> = {}, clock = this.console.context.clock): ConsoleContext {
    const shared = this.console.context
    const config = {
      ...shared.config,
      sso: {
        issuer: new URL(this.liar.issuer),
        clientId,
        clientSecret,
        roleClaim: 'leasehold_role',
        nameClaim: null,
        label: 'Test',
        ...sso,
      },
    }
    const limits = { attempts: new Attempts(clock), requestLimits: new RequestLimits(shared.log) }
    const services = { ...shared, config, sso: createSso(config, clock, patientSeconds), ...limits }
    return { ...services, ...routesOf(services) }
  }

  async get(path: string, cookie = ''): Promise<Got> {
    const request = new Request(testOrigin + path, { headers: { cookie } })
    const response = await serve(request, this.context)
    const cookies = response.headers.getSetCookie()
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      cookies,
      session: cookies.find((each) => each.startsWith('leasehold-3000='))?.split(';')[0] ?? null,
    }
  }

  /** The whole way, from the button to the page on which the browser ends. */
  async signIn(query = '', cookie = ''): Promise<Got & { url: URL; flow: string }> {
    const start = await this.get(`/v1/sso${query}`, cookie)
    expect(start.status).toBe(302)
    const url = this.liar.authorize(start.location)
    const flow = sent(start)
    return { ...(await this.get(url.pathname + url.search, `${flow}; ${cookie}`)), url, flow }
  }

  /** The session that a cookie opens, as the API shows it. */
  async sessionOf(cookie: string | null) {
    return (await this.console.api('GET', '/v1/session', undefined, { cookie: cookie ?? '' })).body
  }

  /** `work` is refused with this code: no session is opened or elevated, and the audit log has the refusal. */
  async refused(code: string, work: () => Promise<Got>): Promise<void> {
    const opened = vi.spyOn(this.context.sessions, 'open')
    const elevated = vi.spyOn(this.context.sessions, 'elevate')
    const audited = vi.spyOn(this.context.audit, 'appendUntilWritten')
    for (const spy of [opened, elevated, audited]) spy.mockClear()
    const { status, location, session } = await work()
    expect({ status, location, session }).toEqual({
      status: 302,
      location: expect.stringMatching(new RegExp(`^/sign-in\\?error=${code}(&next=|$)`)),
      session: null,
    })
    expect(opened).not.toHaveBeenCalled()
    expect(elevated).not.toHaveBeenCalled()
    expect(audited.mock.calls.map(([{ outcome }]) => outcome)).toContain('refused')
  }
}
