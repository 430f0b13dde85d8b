import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * The one-time link that sets the first password. It lives in this process alone and dies with it; that it works
 * once is Cassandra's doing: the user is created on condition that there is none.
 */
export class SetupLink {
  #token: string | null = null

  /** @returns the link to print; its token stands in the fragment, which reaches no log and no Referer */
  issue(publicUrl: URL): string {
    this.#token = randomBytes(24).toString('base64url')
    return new URL(`/setup#${this.#token}`, publicUrl).href
  }

  accepts(token: string): boolean {
    return this.#token !== null && timingSafeEqual(digest(token), digest(this.#token))
  }

  revoke(): void {
    this.#token = null
  }
}
