/**
 * A client that speaks CQL to the lease table without the library, as many programs do, and with the mistake that most of them make:
 * its renewal sets `owner` alone, so that `value` expires with the TTL of the INSERT. `setsAll` mends it.
 */
import type { Statement } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import { Participant, type ParticipantDeps } from '../participant.ts'
import { plainOwner } from '../run-owner.ts'
import { plainClientStatements } from './plain-client-statements.ts'

export class PlainClient extends Participant {
  readonly #name: string
  readonly #ttlSeconds: number
  readonly #statements: ReturnType<typeof plainClientStatements>
  readonly #owner: string
  #setsAll = false
  #stopped = new AbortController()

  constructor(deps: ParticipantDeps, lease: { name: string; ttlSeconds: number; run: string }) {
    super(deps)
    this.#name = lease.name
    this.#ttlSeconds = lease.ttlSeconds
    this.#owner = plainOwner(lease.run)
    this.#statements = plainClientStatements(deps.session.keyspace, deps.session.serial)
  }

  /** Takes the lease, and renews it until `release`. */
  async hold(): Promise<void> {
    this.#stopped = new AbortController()
    const { signal } = this.#stopped
    await this.#execute(this.#statements.insert, [this.#name, this.#owner, this.#value, this.#ttlSeconds])
    for (;;) {
      await this.time.sleep((this.#ttlSeconds * 1000) / 3, signal)
      if (signal.aborted) return
      if (this.#setsAll)
        await this.#execute(this.#statements.renewAll, [
          ...[this.#ttlSeconds, this.#owner, this.#value, this.#name, this.#owner],
        ])
      else
        await this.#execute(this.#statements.renewOwner, [
          ...[this.#ttlSeconds, this.#owner, this.#name, this.#owner],
        ])
    }
  }

  /** From the next renewal on. */
  setAll(): void {
    this.#setsAll = true
  }

  async release(): Promise<void> {
    this.#stopped.abort()
    await this.#execute(this.#statements.release, [this.#name, this.#owner])
  }

  override async end(): Promise<void> {
    if (!this.#stopped.signal.aborted) await this.release()
    await super.end()
  }

  get #value(): string {
    return 'http://10.0.0.7:8080'
  }

  async #execute(statement: Statement, params: unknown[]): Promise<void> {
    try {
      await this.executor.execute(statement, params)
    } catch (thrown) {
      if (!isLeaseholdError(thrown)) throw thrown
    }
  }
}
