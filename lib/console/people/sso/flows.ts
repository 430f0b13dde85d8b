/**
 * Sign-ons under way. Each one is in a cookie of its own, named by its state, so that several tabs do not disturb each
 * other; nothing is kept here but which of them were used.
 *
 * Guarantees: what comes back was made here, for this state, within ten minutes (AES-256-GCM, the state authenticated
 * with it), and is taken once by this process.
 * Does not guarantee: once over several instances. Behind this, the provider takes each code once.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { z } from 'zod'
import { routes } from '../../../contract/routes.ts'

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  elevate: z.boolean(),
  startedAtMs: z.number(),
})

export type Flow = z.infer<typeof flowSchema>

const flowLifetimeSeconds = 10 * 60
/** In one browser at once; the oldest is forgotten, so that the Cookie header stays short. */
const flowsMax = 4
/** A longer path leads to the list instead: cookies end at 4 kB. */
const nextMaxLength = 1024
const usedMax = 10_000

const path = routes.startSso.path

export class Flows {
  readonly #key: Buffer
  readonly #nowMs: () => number
  readonly #prefix: string
  readonly #attributes: string
  /** States that came back, with the time at which they are too old anyway; oldest first. */
  readonly #used = new Map<string, number>()

  constructor(signingKey: Buffer, publicUrl: URL, nowMs: () => number) {
    this.#key = Buffer.from(hkdfSync('sha256', signingKey, '', 'leasehold single sign-on flow', 32))
    this.#nowMs = nowMs
    const secure = publicUrl.protocol === 'https:'
    this.#prefix = secure ? '__Secure-leasehold-sso-' : 'leasehold-sso-'
    // Lax: the way back is a navigation from the provider's site.
    this.#attributes = `Path=${path}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  }

  /** @returns the flow, the challenge made from its verifier, and the cookies to set */
  async begin(
    { next, elevate }: Pick<Flow, 'next' | 'elevate'>,
    cookieHeader: string | null,
  ): Promise<{ flow: Flow; challenge: string; cookies: string[] }> {
    const flow: Flow = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      next: next.length > nextMaxLength ? '/' : next,
      elevate,
      startedAtMs: this.#nowMs(),
    }
    const others = this.#flowsIn(cookieHeader).sort((a, b) => b.startedAtMs - a.startedAtMs)
    return {
      flow,
      challenge: await calculatePKCECodeChallenge(flow.verifier),
      cookies: [
        `${this.#prefix}${flow.state}=${this.#seal(flow)}; ${this.#attributes}; Max-Age=${flowLifetimeSeconds}`,
        ...others.slice(flowsMax - 1).map(({ state }) => this.ended(state)),
      ],
    }
  }

  /** The flow that `state` names, without using it up. null: no such flow, or it is too old or used. */
  find(state: string | undefined, cookieHeader: string | null): Flow | null {
    const flow = this.#flowsIn(cookieHeader).find((each) => each.state === state)
    return flow === undefined || this.#used.has(flow.state) ? null : flow
  }

  /** The flow that comes back with `state`, for the first time; null as with `find`. */
  take(state: string | undefined, cookieHeader: string | null): Flow | null {
    const flow = this.find(state, cookieHeader)
    const nowMs = this.#nowMs()
    if (flow === null) return null
    for (const [used, endsAtMs] of this.#used) {
      if (endsAtMs > nowMs && this.#used.size < usedMax) break
      this.#used.delete(used)
    }
    this.#used.set(flow.state, flow.startedAtMs + flowLifetimeSeconds * 1000)
    return flow
  }

  /** The cookie that ends the flow of a state. */
  ended(state: string): string {
    return `${this.#prefix}${state}=; ${this.#attributes}; Max-Age=0`
  }

  #flowsIn(cookieHeader: string | null): Flow[] {
    return (cookieHeader ?? '').split(/;\s*/).flatMap((pair) => {
      if (!pair.startsWith(this.#prefix)) return []
      const [name = '', sealed = ''] = pair.split('=', 2)
      return this.#open(name.slice(this.#prefix.length), sealed) ?? []
    })
  }

  #seal(flow: Flow): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(flow.state))
    const text = [cipher.update(JSON.stringify(flow)), cipher.final()]
    return Buffer.concat([iv, cipher.getAuthTag(), ...text]).toString('base64url')
  }

  #open(state: string, sealed: string): Flow | null {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < 29) return null
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12), {
        authTagLength: 16,
      })
        .setAAD(Buffer.from(state))
        .setAuthTag(bytes.subarray(12, 28))
      const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
      const flow = flowSchema.parse(JSON.parse(text.toString()))
      const ageMs = this.#nowMs() - flow.startedAtMs
      return flow.state === state && ageMs < flowLifetimeSeconds * 1000 ? flow : null
    } catch {
      // The cookie was changed, or sealed with another key: there is no such flow.
      return null
    }
  }
}
