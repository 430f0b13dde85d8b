import { hkdfSync } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'

export const setupLinkMinutes = 60
const algorithm = 'HS256'
const audience = 'leasehold-setup'

/**
 * The one-time link that sets the first password. It is good for an hour, where the signing key is known. That it works
 * once is Cassandra's doing: the user is created on condition that there is none, and not again after the row was deleted past
 * the console (users.ts). A new link: start the server again, or
 * `npm run user -- link`.
 */
export class SetupLink {
  readonly #key: Buffer
  readonly #publicUrl: URL
  readonly #nowMs: () => number

  constructor(signingKey: Buffer, publicUrl: URL, nowMs: () => number) {
    this.#key = Buffer.from(hkdfSync('sha256', signingKey, '', 'leasehold setup link', 32))
    this.#publicUrl = publicUrl
    this.#nowMs = nowMs
  }

  /** @returns the link to print; its token is in the fragment, which reaches no log and no Referer */
  async issue(): Promise<string> {
    const token = await new SignJWT()
      .setProtectedHeader({ alg: algorithm })
      .setAudience(audience)
      .setExpirationTime(Math.floor(this.#nowMs() / 1000) + setupLinkMinutes * 60)
      .sign(this.#key)
    return new URL(`/setup#${token}`, this.#publicUrl).href
  }

  async accepts(token: string): Promise<boolean> {
    const options = {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['exp'],
      currentDate: new Date(this.#nowMs()),
    }
    return jwtVerify(token, this.#key, options).then(
      () => true,
      () => false,
    )
  }
}
