/** What the tests of forced releases share: a console with names of two people, and its people. */
import { afterAll, beforeAll } from 'vitest'
import { encodeSegment } from '../../../contract/path.ts'
import {
  type Answer,
  cookieOf,
  settledRelease,
  type TestConsole,
  testConsole,
} from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

export const password = 'a password of some length'

/** A signed-in person's requests. */
export type Person = (method: string, path: string, body?: unknown) => Promise<Answer>

export const pathOf = (name: string, rest = '') => `/v1/leases/${encodeSegment(name)}${rest}`
export const planBy = async (who: Person, name: string) =>
  (await who('POST', pathOf(name, '/release-plan'), {})).body
/** Answered within about 2 s, pending or not. */
export const sendAct = (who: Person, name: string, plan: string, mode: string, more = {}) =>
  who('POST', pathOf(name, '/release'), { plan, mode, reason: 'INC-1', confirmName: name, ...more })
/** What it ended with, however long it took. */
export const actBy = (who: Person, name: string, plan: string, mode: string, more = {}) =>
  settledRelease({ api: who }, sendAct(who, name, plan, mode, more))
export const approveBy = (who: Person, id: string) =>
  settledRelease({ api: who }, who('POST', `/v1/releases/${id}/approval`))

/** To be made once in a file, outside of tests. */
export class Releasing {
  keyspace!: string
  console!: TestConsole

  constructor() {
    beforeAll(async () => {
      this.keyspace = await emptiedKeyspace()
      const config = { secondPersonFor: ['two/'], secondPersonAfterHours: 0 }
      this.console = await testConsole(this.keyspace, { LEASEHOLD_CONFIG: JSON.stringify(config) })
    })
    afterAll(() => this.console?.context.session.close())
  }

  /** Makes a user and signs in as that user. */
  async person(username: string, role: string, { elevated = true } = {}): Promise<Person> {
    const { console } = this
    await console.api('POST', '/v1/users', { username, password, role })
    let cookie = cookieOf(await console.api('POST', '/v1/session', { username, password }, { cookie: '' }))
    const api: Person = (method, path, body) => console.api(method, path, body, { cookie })
    if (elevated) cookie = cookieOf(await api('POST', '/v1/session/elevation', { password }))
    return api
  }

  /** Longer than all that a busy machine does with it, unless a test waits for its end. */
  acquire(name: string, owner: string, ttlSeconds = 600): Promise<Answer> {
    return this.console.api('PUT', `/v1/locks/${encodeSegment(name)}`, { owner, ttlSeconds })
  }

  async ownerOf(name: string) {
    return (await this.console.api('GET', pathOf(name))).body.owner
  }

  /** The main chain's entries about a lease, newest first: user, act, phase, outcome. */
  async entriesOf(name: string) {
    const { entries } = await this.console.context.audit.page({ name, chain: 'main', limit: 100 })
    return entries.map(({ act, phase, actor, outcome }) => [actor.username, act, phase, outcome])
  }
}
