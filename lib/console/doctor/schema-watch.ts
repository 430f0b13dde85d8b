import { isLeaseholdError } from 'leasehold/lease'

/** What tells that a table was changed. */
interface SchemaSource {
  /** Of the whole cluster; cheap to read. */
  version(): Promise<string>
  /** Of one table, with its keyspace. */
  definition(id: string): Promise<string>
}

/**
 * The definitions are read so many times after the version changed: the node that named the new version may not be the one that is
 * asked for the definitions, and that one may not have the change yet. A minute of the doctor's looks; nodes agree within seconds.
 */
const readsAfterChange = 12

/**
 * Finds the tables whose definitions were changed. When the version of the schema has stayed the same for some calls, one row of a
 * table that each node keeps for itself is read, and nothing else.
 */
export class SchemaWatch {
  readonly #source: SchemaSource
  readonly #ids: readonly string[]
  #version: string | null = null
  #readsLeft = 0
  readonly #definitions = new Map<string, string>()

  constructor(source: SchemaSource, ids: readonly string[]) {
    this.#source = source
    this.#ids = ids
  }

  /**
   * The tables that were changed since the call before; the first call finds none. While Cassandra does not answer it finds
   * none either, and the call after that finds them.
   */
  async changed(): Promise<string[]> {
    try {
      const version = await this.#source.version()
      if (version !== this.#version) this.#readsLeft = readsAfterChange
      if (this.#readsLeft === 0) return []
      const found = new Map<string, string>()
      for (const id of this.#ids) found.set(id, await this.#source.definition(id))
      const changed = this.#ids.filter(
        (id) => this.#definitions.has(id) && this.#definitions.get(id) !== found.get(id),
      )
      for (const [id, definition] of found) this.#definitions.set(id, definition)
      this.#version = version
      this.#readsLeft--
      return changed
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'store-unavailable')) return []
      throw thrown
    }
  }
}
