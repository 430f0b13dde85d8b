/** `LEASEHOLD_CONFIG`: the tables of leases, and the names that two people release. */
import { readFileSync } from 'node:fs'
import { defaultMapping, type TableMapping } from 'leasehold/cassandra'
import { maxTtlSeconds } from 'leasehold/time'
import { z } from 'zod'
import { issueText, mustBe } from '../../http/request/issue-text.ts'
import { ConfigError } from '../../store/config-error.ts'

/** A table of leases that the console shows, under an id of its own. */
export interface TableConfig {
  id: string
  mapping: TableMapping
  readOnly: boolean
  defaultTtlSeconds: number
}

export interface LeasesConfig {
  tables: TableConfig[]
  /** Prefixes of names whose forced release needs a second person. */
  secondPersonFor: string[]
  /** How long after an account was made, or changed by another one, it takes part in a release by two people. */
  secondPersonAfterMs: number
}

export const identifier = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : undefined) })
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,47}$/, 'is not a Cassandra identifier (letters, digits, underscores)')

const tableSchema = z.strictObject({
  keyspace: identifier.optional(),
  table: identifier,
  name: identifier.default('name'),
  owner: identifier.nullable().default('owner'),
  value: identifier.nullable().default(null),
  readOnly: z.boolean().default(false),
  defaultTtlSeconds: z.number().int().min(2).max(maxTtlSeconds).default(180),
})

const fileSchema = z.strictObject({
  tables: z
    .record(
      z.string().regex(/^[a-z0-9_-]{1,48}$/, 'is not an id (1 to 48 of a to z, digits, _ and -)'),
      tableSchema,
    )
    .default({}),
  /** Names that begin with one of these are released by two people: one asks, another approves. */
  secondPersonFor: z.array(z.string().max(512)).max(100).default([]),
  /** An account that was made, or changed by another one, within so many hours is not one of the two. */
  secondPersonAfterHours: z.number().min(0).max(720).default(24),
})

const hourMs = 3_600_000

/** Mapped tables; `leases`, the console's own, is always among them unless the file says what it is. */
export function readLeasesConfig(source: string | undefined, keyspace: string): LeasesConfig {
  const own: TableConfig = { id: 'leases', mapping: defaultMapping, readOnly: false, defaultTtlSeconds: 180 }
  if (source === undefined) return { tables: [own], secondPersonFor: [], secondPersonAfterMs: 24 * hourMs }
  let json: unknown
  try {
    json = JSON.parse(source.trimStart().startsWith('{') ? source : readText('LEASEHOLD_CONFIG', source))
  } catch (thrown) {
    if (thrown instanceof ConfigError) throw thrown
    throw new ConfigError(`LEASEHOLD_CONFIG is not JSON: ${(thrown as Error).message}.`)
  }
  const parsed = fileSchema.safeParse(json, { error: mustBe })
  if (!parsed.success) {
    // A field that is misspelt is what is missing, as a rule.
    const { issues } = parsed.error
    const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? (issues[0] as z.core.$ZodIssue)
    const where = issue.path.length === 0 ? '' : `${issue.path.join('.')} `
    throw new ConfigError(`LEASEHOLD_CONFIG: ${where}${issueText(issue, fileSchema).replace(/\.$/, '')}.`)
  }
  const mapped = Object.entries(parsed.data.tables).map(
    ([id, { keyspace: theirs, table, name, owner, value, ...rest }]) => ({
      id,
      mapping: { keyspace: theirs, table, name, owner, value },
      ...rest,
    }),
  )
  const tables = mapped.some((table) => table.id === own.id) ? mapped : [own, ...mapped]
  refuseContradiction(tables, keyspace)
  const { secondPersonFor, secondPersonAfterHours } = parsed.data
  return { tables, secondPersonFor, secondPersonAfterMs: secondPersonAfterHours * hourMs }
}

/** What is mapped `readOnly` is taken from the writer's role (grants.ts), under whichever other id the table is written. */
function refuseContradiction(tables: readonly TableConfig[], keyspace: string): void {
  const nameOf = ({ mapping }: TableConfig) => `${mapping.keyspace ?? keyspace}.${mapping.table}`
  for (const shown of tables.filter(({ readOnly }) => readOnly)) {
    const written = tables.find((each) => !each.readOnly && nameOf(each) === nameOf(shown))
    if (written !== undefined)
      throw new ConfigError(
        `LEASEHOLD_CONFIG: tables.${shown.id} is readOnly and tables.${written.id} is not, and both are the table ${nameOf(shown)} of Cassandra. Map it once, or make both the same.`,
      )
  }
}

/** The text of a file that a variable names. @throws ConfigError */
export function readText(variable: string, file: string): string {
  try {
    return readFileSync(/* turbopackIgnore: true */ file, 'utf8')
  } catch (thrown) {
    throw new ConfigError(
      `${variable}: the file ${file} cannot be read (${(thrown as NodeJS.ErrnoException).code}).`,
    )
  }
}
