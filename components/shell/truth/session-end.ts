/** Finds out whether a refusal means that the session has ended, and leaves for the sign-in page if so. */
import type { CallEvent } from '../../../lib/client/call/call.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'

/**
 * An elevation and a new password bring a new session id, and requests under way with the old one are refused. So a
 * refusal sends the user to the sign-in page only if a second request, this many milliseconds later, is refused too.
 */
const newIdMs = 500
/** The answer of an act that is under way says whether the act was refused too. After this time the page leaves without it. */
const actWithinMs = 10_000
/** A second call of `location.assign` would load the sign-in page from the start. After this time the user has chosen to stay, and is asked once more. */
const leavesWithinMs = 10_000

interface SessionEndParts {
  isEnded: () => Promise<boolean>
  /** Waits until no act is under way. */
  actsEnd: () => Promise<void>
  pause: (ms: number) => Promise<void>
  /** `act`: an act was refused too. */
  leave: (ended: true | 'act') => void
}

export class SessionEnd {
  readonly #parts: SessionEndParts
  /** Every read is refused once the session has ended; one of them is enough to ask. */
  #isAsking = false
  /** Reads are refused in the same moment, and one of them may have been first. */
  #isActRefused = false
  /** The user ended the session, and is on the way to the sign-in page already. */
  #isSignedOut = false

  constructor(parts: SessionEndParts) {
    this.#parts = parts
  }

  /** To be called at the end of every call. */
  note({ route, error }: Pick<CallEvent, 'route' | 'error'>): void {
    if (route === 'signOut' && error === undefined) this.#isSignedOut = true
    if (error?.code !== 'unauthenticated') return
    if (endpoints[route].method !== 'GET') this.#isActRefused = true
    if (this.#isAsking) return
    this.#isAsking = true
    this.#ask().finally(() => {
      this.#isAsking = false
      this.#isActRefused = false
      this.#isSignedOut = false
    })
  }

  async #ask(): Promise<void> {
    const { isEnded, actsEnd, pause, leave } = this.#parts
    await pause(newIdMs)
    if (!(await isEnded())) return
    await Promise.race([actsEnd(), pause(actWithinMs)])
    if (!this.#isSignedOut) leave(this.#isActRefused ? 'act' : true)
    await pause(leavesWithinMs)
  }
}
