/** An operator at a console: signs in, makes tokens, ends leases by force, and reads the audit log. */
import { nowMs } from '../../lib/leasehold/test/faults/recorder.ts'
import type { AuditFact, ForcedRelease } from '../history/cluster-history.ts'

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape, as the API documents them
  readonly body: any
}

interface Credentials {
  readonly username: string
  readonly password: string
}

/** Longer than the server waits for Cassandra. */
const timeoutMs = 40_000
/** An elevation ends after ten minutes. */
const elevateEveryMs = 240_000

export class OperatorClient {
  readonly #instance: number
  readonly #url: string
  readonly #credentials: Credentials
  #cookie = ''
  #elevatedMs = Number.NEGATIVE_INFINITY

  constructor(instance: number, url: string, credentials: Credentials) {
    this.#instance = instance
    this.#url = url
    this.#credentials = credentials
  }

  /** @throws when no answer comes */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers: Record<string, string> = { origin: this.#url, 'content-type': 'application/json' }
    if (this.#cookie !== '') headers.cookie = this.#cookie
    const response = await fetch(this.#url + path, {
      method,
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      body: body === undefined ? null : JSON.stringify(body),
    })
    const cookie = response.headers.get('set-cookie')?.split(';')[0]
    if (cookie !== undefined) this.#cookie = cookie
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }

  /** @throws when the console refuses, or does not answer */
  async signIn(): Promise<void> {
    await this.#must('POST', '/v1/session', this.#credentials)
    await this.#must('POST', '/v1/session/elevation', { password: this.#credentials.password })
    this.#elevatedMs = nowMs()
  }

  /** A token for programs, good for every name. */
  async token(name: string): Promise<string> {
    return (await this.#must('POST', '/v1/tokens', { name, role: 'client', prefixes: [''] })).body.token
  }

  /** @returns undefined: no release was planned, since the lease is free, or the console did not answer */
  async release(
    name: string,
    mode: ForcedRelease['mode'],
  ): Promise<(ForcedRelease & { ttlSeconds: number; holder: string | null }) | undefined> {
    if (nowMs() - this.#elevatedMs > elevateEveryMs) await this.signIn()
    const path = `/v1/leases/${encodeURIComponent(name)}`
    const planned = await this.ask('POST', `${path}/release-plan`, {})
    if (planned.status !== 200) return undefined
    const { plan, lease } = planned.body
    const release = { id: plan as string, instance: this.#instance, mode, name, owner: lease.owner as string }
    const calledMs = nowMs()
    const answer = await this.ask('POST', `${path}/release`, {
      plan,
      mode,
      reason: 'A run of npm run test:cluster.',
      confirmName: name,
    }).catch(() => null)
    const said = answer?.body?.outcome ?? answer?.body?.code
    const outcome = typeof said === 'string' ? said : 'no-answer'
    const holder = answer?.body?.current?.owner ?? null
    return { ...release, outcome, calledMs, returnedMs: nowMs(), ttlSeconds: lease.ttlSeconds, holder }
  }

  /** Every entry of the main chain that is about a lease. */
  async audit(): Promise<AuditFact[]> {
    const found: AuditFact[] = []
    let cursor: string | null = null
    do {
      const query = new URLSearchParams({ limit: '200' })
      if (cursor !== null) query.set('cursor', cursor)
      const { body } = await this.#must('GET', `/v1/audit?${query}`)
      for (const { id, act, phase, outcome, on } of body.entries)
        if (on.kind === 'lease') found.push({ id, act, phase, outcome, name: on.name })
      cursor = body.nextCursor ?? null
    } while (cursor !== null)
    return found
  }

  async #must(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.ask(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body?.detail}`)
    return answer
  }
}
