import { InvalidArgumentError } from '../../lease/index.ts'
import { quoteIdentifier } from '../schema/identifiers.ts'

/** The names of a table and of its columns. Case counts. */
export interface TableMapping {
  /** Left out: the session's keyspace. */
  keyspace?: string | undefined
  table: string
  /** The partition key, the only key column, of type text. */
  name: string
  /** null: the table has none (`lock(lockname)`); its rows can only be listed, acquired and released. */
  owner: string | null
  /** null: the table has none (`leadership_election("group", leader_id)`). */
  value: string | null
}

/** `leases(name, owner, value)`, the well-known one. */
export const defaultMapping: TableMapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }

/** A mapping whose identifiers are checked and quoted for CQL. */
export interface QuotedMapping {
  table: string
  name: string
  owner: string | null
  value: string | null
}

/** @throws InvalidArgumentError */
export function quoteMapping(mapping: TableMapping, keyspace: string): QuotedMapping {
  const columns = [mapping.name, mapping.owner, mapping.value].filter((column) => column !== null)
  if (new Set(columns).size !== columns.length)
    throw new InvalidArgumentError(
      `The table ${JSON.stringify(mapping.table)} is mapped with one column twice.`,
    )
  if (mapping.owner === null && mapping.value !== null)
    throw new InvalidArgumentError(
      `The table ${JSON.stringify(mapping.table)} is mapped with a value, but without an owner.`,
    )
  return {
    table: `${quoteIdentifier('keyspace', mapping.keyspace ?? keyspace)}.${quoteIdentifier('table', mapping.table)}`,
    name: quoteIdentifier('column', mapping.name),
    owner: mapping.owner === null ? null : quoteIdentifier('column', mapping.owner),
    value: mapping.value === null ? null : quoteIdentifier('column', mapping.value),
  }
}
