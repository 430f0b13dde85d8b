import { z } from 'zod'
import { nameMaxBytes } from '../../../contract/text-size.ts'
import { ConfigError } from '../../store/config-error.ts'

/** Each name costs Cassandra about one read a second, and Prometheus three series an instance. */
const metricsLeasesMax = 50

const nameSchema = z
  .string()
  .min(1)
  .refine((name) => Buffer.byteLength(name) <= nameMaxBytes)
const listSchema = z
  .array(z.union([nameSchema, z.strictObject({ table: z.string().default('leases'), name: nameSchema })]))
  .max(metricsLeasesMax)

export const metricsVariables = {
  LEASEHOLD_METRICS_TOKEN: z
    .string()
    .min(16, 'is shorter than 16 characters')
    .regex(/^[\x21-\x7e]+$/, 'has a character that no header can carry')
    .optional(),
  LEASEHOLD_METRICS_LEASES: z.string().optional(),
}

export interface MetricsConfig {
  /** The bearer of scrapers; undefined: they come with a token of the console's. */
  token: string | undefined
  /** Leases that have metrics of their own. */
  leases: { table: string; name: string }[]
}

/** @throws ConfigError */
export function readMetricsConfig(
  {
    LEASEHOLD_METRICS_TOKEN: token,
    LEASEHOLD_METRICS_LEASES: list,
  }: z.output<z.ZodObject<typeof metricsVariables>>,
  tables: readonly { id: string }[],
): MetricsConfig {
  const leases = list === undefined ? [] : parseList(list)
  for (const { table } of leases)
    if (!tables.some(({ id }) => id === table))
      throw new ConfigError(`LEASEHOLD_METRICS_LEASES: no table has the id ${JSON.stringify(table)}.`)
  return { token, leases }
}

/** Names with commas between them; or JSON, where a name has a comma, or is of a mapped table. */
function parseList(text: string): MetricsConfig['leases'] {
  let given: unknown
  if (text.trimStart().startsWith('['))
    try {
      given = JSON.parse(text)
    } catch (thrown) {
      throw new ConfigError(`LEASEHOLD_METRICS_LEASES is not JSON: ${(thrown as Error).message}.`)
    }
  else
    given = text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
  const parsed = listSchema.safeParse(given)
  if (!parsed.success)
    throw new ConfigError(
      `LEASEHOLD_METRICS_LEASES is not a list of at most ${metricsLeasesMax} names of 1 to ${nameMaxBytes} bytes, or of {"table": …, "name": …}.`,
    )
  const leases = parsed.data.map((each) =>
    typeof each === 'string' ? { table: 'leases', name: each } : each,
  )
  const keys = new Set(leases.map(({ table, name }) => JSON.stringify([table, name])))
  if (keys.size < leases.length) throw new ConfigError('LEASEHOLD_METRICS_LEASES names a lease twice.')
  return leases
}
