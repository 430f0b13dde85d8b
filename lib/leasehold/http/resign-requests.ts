import {
  type ResignRequest,
  type ResignRequests,
  StoreRefusedError,
  StoreUnavailableError,
} from '../lease/index.ts'
import { asFields, instantOf, textOf } from './json.ts'
import type { LeaseholdServer } from './server.ts'

const readTimeoutMs = 10_000

/**
 * Requests to resign, read from a server. An operator makes them in the server's console.
 *
 * @example
 * const server = new LeaseholdServer({ url: 'http://localhost:3000', token })
 * const leases = new Leases({ store: new HttpLeaseStore(server), resignRequests: new HttpResignRequests(server) })
 */
export class HttpResignRequests implements ResignRequests {
  readonly #server: LeaseholdServer
  readonly #table: string | undefined

  /** @param options `table`: the id of a table in the server's configuration; left out: the server's own table */
  constructor(server: LeaseholdServer, { table }: { table?: string | undefined } = {}) {
    this.#server = server
    this.#table = table
  }

  /** @throws StoreRefusedError: the API asks by a release plan alone, which a person has seen */
  async ask({ name }: ResignRequest): Promise<never> {
    throw new StoreRefusedError(
      `The holder of ${JSON.stringify(name)} cannot be asked to resign through ${this.#server.host} without a release plan: open the lease in the console, or POST /v1/leases/{name}/release-plan.`,
    )
  }

  async of(name: string, owner?: string): Promise<ResignRequest[]> {
    const answer = await this.#server.ask({
      method: 'GET',
      path: ['resign-requests', name],
      query: { table: this.#table, owner },
      timeoutMs: readTimeoutMs,
    })
    if (answer.status !== 200) throw this.#server.refusal('GET', answer)
    const { requests } = answer.body
    if (!Array.isArray(requests))
      throw new StoreUnavailableError(
        'The server answered with something other than requests to resign. Check that the URL is that of a Leasehold server.',
      )
    return requests.map((request) => resignRequest(name, request))
  }
}

function resignRequest(name: string, from: unknown): ResignRequest {
  const json = asFields(from)
  const [id, owner, requestedBy] = [textOf(json.id), textOf(json.owner), textOf(json.requestedBy)]
  const requestedAtMs = instantOf(json.requestedAt)
  if (id === null || owner === null || requestedBy === null || requestedAtMs === null)
    throw new StoreUnavailableError(
      'The server answered with something other than a request to resign. Check that the URL is that of a Leasehold server.',
    )
  return { id, name, owner, requestedBy, reason: textOf(json.reason) ?? '', requestedAtMs }
}
