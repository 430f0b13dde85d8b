import { unseenCharacters } from '../../ui/text/unseen-characters.ts'

/**
 * The command line that acquires a zombie and releases it at once, which deletes the whole row. null: there is none that
 * is certain to mean this lease, in a table that the command knows by itself. `embedded`: there is a clone, and no package.
 */
export function repairCommand(name: string, table: string, embedded: boolean): string | null {
  if (table !== 'leases' || name.startsWith('-') || unseenCharacters(name).length > 0) return null
  const word = /^[\w./:@%+,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`
  return `${embedded ? 'npm run -s leasehold --' : 'leasehold'} run ${word} -- true`
}
