import { InvalidArgumentError } from '../../lease/index.ts'

/**
 * Quotes a keyspace, table or column name for CQL. CQL cannot bind names as parameters, so that configured names become
 * part of a statement's text, and only here: letters, digits and underscores, nothing else.
 * @throws InvalidArgumentError with the name
 */
export function quoteIdentifier(what: string, identifier: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,47}$/.test(identifier))
    throw new InvalidArgumentError(
      `The ${what} ${JSON.stringify(identifier)} is not an identifier: a letter, then letters, digits and underscores, 48 at most.`,
    )
  return `"${identifier}"`
}
