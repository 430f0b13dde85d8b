import { InvalidArgumentError } from '../../lease/index.ts'

/**
 * Quotes a keyspace, table or column name for CQL. Names cannot be bound as parameters, so that this is the only
 * place where text of a configuration enters a statement: letters, digits and underscores, nothing else.
 * @throws InvalidArgumentError naming what was wrong
 */
export function quoteIdentifier(what: string, identifier: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,47}$/.test(identifier))
    throw new InvalidArgumentError(
      `The ${what} ${JSON.stringify(identifier)} is not an identifier: a letter, then letters, digits and underscores, 48 at most.`,
    )
  return `"${identifier}"`
}
