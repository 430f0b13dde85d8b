/**
 * Remembers, in a signed cookie, that a user signed in from a browser. Guesses from elsewhere then cannot keep this
 * browser out: attempts.ts counts its tries by themselves.
 *
 * Guarantees: a cookie is good for a year, for one user, and until the user's password changes. It survives restarts, and
 * all instances that share the signing key accept it. It opens nothing: the password is needed as before.
 * Does not guarantee: that one browser is one device. A copied cookie is the same device, and shares its count.
 */
import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto'
import { type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { UserRow } from '../user-row.ts'

const lifetimeSeconds = 365 * 24 * 60 * 60
const algorithm = 'HS256'
const knownCookiesMax = 4
/** Distinguishes these cookies from other texts that the console signs. */
const audience = 'leasehold-device'

const claimsSchema = z.object({ sub: z.string(), jti: z.string(), password: z.string() })

type WithPassword = Pick<UserRow, 'username' | 'passwordHash'>

export class Devices {
  readonly #key: Buffer
  readonly #publicUrl: URL
  readonly #nowMs: () => number

  constructor(signingKey: Buffer, publicUrl: URL, nowMs: () => number) {
    this.#key = Buffer.from(hkdfSync('sha256', signingKey, '', 'leasehold device cookie', 32))
    this.#publicUrl = publicUrl
    this.#nowMs = nowMs
  }

  /**
   * The device from which a request comes, if this user signed in from it under the present password.
   * @param find asked only about a user for whom a cookie was signed, so that guesses cost no read
   * @returns its id
   */
  async find(
    username: string,
    cookieHeader: string | null,
    find: (username: string) => Promise<WithPassword | null>,
  ): Promise<string | null> {
    const claims = await this.#claims(username, cookieHeader)
    if (claims === null) return null
    const user = await find(username)
    return user !== null && claims.password === this.#passwordOf(user) ? claims.jti : null
  }

  /**
   * The device from which a request comes, whichever user signed in from it, under whichever password. It shows that
   * the browser is known, and nothing more. @returns its id
   */
  async known(cookieHeader: string | null): Promise<string | null> {
    const prefix = this.#prefix
    const pairs = cookieHeader?.split(/;\s*/).filter((part) => part.startsWith(prefix)) ?? []
    // People who share a browser have a cookie each. Only so many are checked: each check costs a signature.
    for (const pair of pairs.slice(0, knownCookiesMax)) {
      const claims = await this.#verified(pair.slice(pair.indexOf('=') + 1))
      if (claims !== null) return claims.jti
    }
    return null
  }

  /** The cookie for a browser from which this user signed in just now; a browser that had one keeps its id. */
  async cookie(user: WithPassword, cookieHeader: string | null): Promise<string> {
    const id = (await this.#claims(user.username, cookieHeader))?.jti ?? randomUUID()
    const token = await new SignJWT({ password: this.#passwordOf(user) })
      .setProtectedHeader({ alg: algorithm })
      .setSubject(user.username)
      .setJti(id)
      .setAudience(audience)
      .setExpirationTime(Math.floor(this.#nowMs() / 1000) + lifetimeSeconds)
      .sign(this.#key)
    const secure = this.#publicUrl.protocol === 'https:' ? '; Secure' : ''
    return `${this.#nameOf(user.username)}=${token}; Path=/; HttpOnly; SameSite=Strict${secure}; Max-Age=${lifetimeSeconds}`
  }

  async #claims(username: string, cookieHeader: string | null) {
    const prefix = `${this.#nameOf(username)}=`
    const pair = cookieHeader?.split(/;\s*/).find((part) => part.startsWith(prefix))
    return pair === undefined ? null : this.#verified(pair.slice(prefix.length), username)
  }

  async #verified(token: string, subject?: string) {
    try {
      const options: JWTVerifyOptions = {
        algorithms: [algorithm],
        audience,
        requiredClaims: ['sub', 'exp', 'jti'],
        currentDate: new Date(this.#nowMs()),
      }
      if (subject !== undefined) options.subject = subject
      const { payload } = await jwtVerify(token, this.#key, options)
      return claimsSchema.parse(payload)
    } catch {
      // Out of date, of another user, signed with another key, or made up: the browser is a stranger's.
      return null
    }
  }

  /** One a user, so that two people at one browser both keep theirs. Browsers do not tell ports apart: see cookie.ts. */
  #nameOf(username: string): string {
    return this.#prefix + createHash('sha256').update(username).digest('hex').slice(0, 16)
  }

  get #prefix(): string {
    const { protocol, port } = this.#publicUrl
    return `${protocol === 'https:' ? '__Host-' : ''}leasehold${port && `-${port}`}-device-`
  }

  /** Changes with the password, and reveals nothing about it. */
  #passwordOf({ passwordHash }: WithPassword): string {
    return createHmac('sha256', this.#key)
      .update(passwordHash ?? '')
      .digest('base64url')
  }
}
