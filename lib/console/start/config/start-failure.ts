import { isLeaseholdError } from 'leasehold/lease'
import { ConfigError } from '../../store/config-error.ts'
import { MigrationError } from '../../store/schema/migrate.ts'

/** What stopped the start, as one sentence for the terminal. */
export function startFailure(thrown: unknown, environment: Record<string, string | undefined>): string {
  if (thrown instanceof ConfigError || thrown instanceof MigrationError) return thrown.message
  const points = environment.CASSANDRA_CONTACT_POINTS
  const message = (thrown as Error).message ?? String(thrown)
  if (/local ?data ?center/i.test(message))
    return `CASSANDRA_LOCAL_DC is wrong; Cassandra answered at ${points}. (${message})`
  if (isLeaseholdError(thrown, 'store-unavailable') && environment.LEASEHOLD_EMBEDDED === '1')
    return `The embedded Cassandra does not answer at ${points}: see ${environment.LEASEHOLD_DATA_DIR}/cassandra/logs/system.log, then start again. (${thrown.message})`
  if (isLeaseholdError(thrown, 'store-unavailable'))
    return `Cassandra does not answer at ${points}: start it, or set CASSANDRA_CONTACT_POINTS and CASSANDRA_LOCAL_DC to where it is. (${thrown.message})`
  // The library names the options of `connect`, which a program has and an operator has not.
  if (isLeaseholdError(thrown, 'store-refused') && /wants a user name and a password/.test(thrown.message))
    return `Cassandra at ${points} wants a user name and a password: set CASSANDRA_USERNAME and CASSANDRA_PASSWORD. docs/operations.md says what their role needs.`
  if (isLeaseholdError(thrown, 'store-refused'))
    return `${thrown.message.replace(/[^.!?]$/, '$&.')} Check CASSANDRA_USERNAME, CASSANDRA_PASSWORD (of other roles: CASSANDRA_READ_…, CASSANDRA_SCHEMA_…) and what the role may do: docs/operations.md.`
  return message
}
