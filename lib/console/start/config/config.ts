import { resolve } from 'node:path'
import type { SerialLevel } from 'leasehold/cassandra'
import { z } from 'zod'
import { readSsoConfig, type SsoConfig, ssoVariables } from '../../people/sso/sso-config.ts'
import { ConfigError } from '../../store/config-error.ts'
import { parseKey } from '../../store/secret.ts'
import { historyVariables } from './history-config.ts'
import { identifier, type LeasesConfig, readLeasesConfig, readText } from './leases-config.ts'
import { type MetricsConfig, metricsVariables, readMetricsConfig } from './metrics-config.ts'

export interface Config extends LeasesConfig {
  port: number
  publicUrl: URL
  dataDir: string
  embedded: boolean
  cassandra: {
    contactPoints: string[]
    localDataCenter: string
    keyspace: string
    /** The role that writes; the only role, if no other is set. */
    username?: string
    password?: string
    /** The role that reads, if it is another one. */
    reader?: { username: string; password: string } | undefined
    /** The role that migrates and grants, if it is another one; connected only during the start. */
    schema?: { username: string; password: string } | undefined
    /** A role of programs: the schema role grants it the lease tables. */
    programRole?: string | undefined
    tls?: { ca: string; cert?: string | undefined; key?: string | undefined } | undefined
    serial: SerialLevel
    replication: number
  }
  maxClockSkewMs: number
  adminPassword?: string | undefined
  /** As configured, in base64 or hex; undefined: the key is in the data directory. */
  auditKey?: string | undefined
  adminActions: boolean
  /**
   * The operator's reverse proxy is in front of this process: the console believes the entry that it adds to
   * X-Forwarded-For.
   */
  trustProxy: boolean
  /** Single sign-on; null: with passwords alone. */
  sso: SsoConfig | null
  metrics: MetricsConfig
  /** Whether people may start runs of the election lab. */
  lab: boolean
  /** Whether the console starts with a run of the lab, for `npm run demo`. */
  demo: boolean
  /** `days`: how long the history of leases is kept; 0: none is recorded. */
  history: { days: number }
}

const port = z.coerce
  .number('is not a number')
  .int('is not a whole number')
  .min(1, 'is below 1')
  .max(65_535, 'is above 65535')

const environmentSchema = z.object({
  PORT: port.default(3000),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'is not an http or https URL' })
    .refine(
      (url) => !URL.canParse(url) || new URL(url).pathname === '/',
      'has a path; the console is served at the root',
    )
    .optional(),
  CASSANDRA_CONTACT_POINTS: z
    .string('is not set; `npm start` sets it when it runs a node of its own')
    .transform((list) =>
      list
        .split(',')
        .map((point) => point.trim())
        .filter((point) => point !== ''),
    )
    .refine((points) => points.length > 0, 'names no host')
    .refine(
      (points) => points.every((point) => /^[^\s:]+(:\d{1,5})?$|^\[[^\]]+\](:\d{1,5})?$/.test(point)),
      'is not a list of host or host:port',
    ),
  CASSANDRA_LOCAL_DC: z.string().default('datacenter1'),
  CASSANDRA_KEYSPACE: identifier.default('leasehold'),
  CASSANDRA_USERNAME: z.string().optional(),
  CASSANDRA_PASSWORD: z.string().optional(),
  CASSANDRA_READ_USERNAME: z.string().optional(),
  CASSANDRA_READ_PASSWORD: z.string().optional(),
  CASSANDRA_SCHEMA_USERNAME: z.string().optional(),
  CASSANDRA_SCHEMA_PASSWORD: z.string().optional(),
  CASSANDRA_PROGRAM_ROLE: z.string().optional(),
  CASSANDRA_TLS_CA: z.string().optional(),
  CASSANDRA_TLS_CERT: z.string().optional(),
  CASSANDRA_TLS_KEY: z.string().optional(),
  CASSANDRA_REPLICATION: z.coerce
    .number('is not a number')
    .int('is not a whole number')
    .min(1, 'is below 1')
    .optional(),
  CASSANDRA_SERIAL: z
    .enum(['SERIAL', 'LOCAL_SERIAL'], 'is neither SERIAL nor LOCAL_SERIAL')
    .default('SERIAL'),
  LEASEHOLD_DATA_DIR: z.string().default('.leasehold'),
  LEASEHOLD_EMBEDDED: z.enum(['1'], 'is only for npm start to set').optional(),
  LEASEHOLD_ADMIN_PASSWORD: z.string().min(10, 'is shorter than 10 characters').optional(),
  LEASEHOLD_ADMIN_ACTIONS: z
    .enum(['enabled', 'disabled'], 'is neither enabled nor disabled')
    .default('enabled'),
  LEASEHOLD_DEMO: z.enum(['1'], 'is only for npm run demo to set').optional(),
  LEASEHOLD_LAB: z.enum(['enabled', 'disabled'], 'is neither enabled nor disabled').optional(),
  LEASEHOLD_AUDIT_KEY: z
    .string()
    .refine((text) => parseKey(text) !== null, 'is not a key of 32 bytes or more, in base64 or hex')
    .optional(),
  LEASEHOLD_TRUST_PROXY: z.enum(['0', '1'], 'is neither 0 nor 1').default('0'),
  LEASEHOLD_CONFIG: z.string().optional(),
  ...ssoVariables,
  ...metricsVariables,
  ...historyVariables,
})

/** Variables that may also be given as a file, for secrets that are mounted. */
export const secretVariables = [
  'CASSANDRA_PASSWORD',
  'CASSANDRA_READ_PASSWORD',
  'CASSANDRA_SCHEMA_PASSWORD',
  'LEASEHOLD_ADMIN_PASSWORD',
  'LEASEHOLD_AUDIT_KEY',
  'LEASEHOLD_METRICS_TOKEN',
  'LEASEHOLD_OIDC_CLIENT_SECRET',
] as const

/**
 * The configuration from the environment.
 * @throws ConfigError naming the variable and what is wrong with it
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  // An empty variable is what shells and compose files make of an unset one.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, text]) => text !== undefined && text !== ''),
  )
  for (const name of secretVariables) {
    const file = given[`${name}_FILE`]
    if (file === undefined) continue
    if (given[name] !== undefined)
      throw new ConfigError(`${name} and ${name}_FILE are both set; set one of them.`)
    // An editor ends the file with a line's end; a space may be part of a password.
    given[name] = readText(`${name}_FILE`, file).replace(/[\r\n]+$/, '')
  }
  const parsed = environmentSchema.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as z.core.$ZodIssue
    throw new ConfigError(`${String(issue.path[0])} ${issue.message}.`)
  }
  const env = parsed.data
  const role = (prefix: 'CASSANDRA' | 'CASSANDRA_READ' | 'CASSANDRA_SCHEMA') => {
    const [username, password] = [env[`${prefix}_USERNAME`], env[`${prefix}_PASSWORD`]]
    if (password !== undefined && username === undefined)
      throw new ConfigError(`${prefix}_PASSWORD is set without ${prefix}_USERNAME.`)
    if (username !== undefined && prefix !== 'CASSANDRA' && env.CASSANDRA_USERNAME === undefined)
      throw new ConfigError(`${prefix}_USERNAME is set without CASSANDRA_USERNAME, the role that writes.`)
    return username === undefined ? undefined : { username, password: password ?? '' }
  }
  const [writer, reader, schema] = [role('CASSANDRA'), role('CASSANDRA_READ'), role('CASSANDRA_SCHEMA')]
  if (env.CASSANDRA_PROGRAM_ROLE !== undefined && schema === undefined)
    throw new ConfigError('CASSANDRA_PROGRAM_ROLE is set without CASSANDRA_SCHEMA_USERNAME, which grants.')
  if (env.CASSANDRA_TLS_CA === undefined && (env.CASSANDRA_TLS_CERT ?? env.CASSANDRA_TLS_KEY) !== undefined)
    throw new ConfigError(
      'CASSANDRA_TLS_CERT and CASSANDRA_TLS_KEY need CASSANDRA_TLS_CA: verification is always on.',
    )
  const embedded = env.LEASEHOLD_EMBEDDED === '1'
  const file = readLeasesConfig(env.LEASEHOLD_CONFIG, env.CASSANDRA_KEYSPACE)
  const { CASSANDRA_TLS_CA: ca, CASSANDRA_TLS_CERT: cert, CASSANDRA_TLS_KEY: key } = env
  const tls =
    ca === undefined
      ? undefined
      : {
          ca: readText('CASSANDRA_TLS_CA', ca),
          cert: cert && readText('CASSANDRA_TLS_CERT', cert),
          key: key && readText('CASSANDRA_TLS_KEY', key),
        }
  return {
    port: env.PORT,
    publicUrl: new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`),
    dataDir: resolve(/* turbopackIgnore: true */ env.LEASEHOLD_DATA_DIR),
    embedded,
    cassandra: {
      contactPoints: env.CASSANDRA_CONTACT_POINTS,
      localDataCenter: env.CASSANDRA_LOCAL_DC,
      keyspace: env.CASSANDRA_KEYSPACE,
      ...writer,
      reader,
      schema,
      programRole: env.CASSANDRA_PROGRAM_ROLE,
      tls,
      serial: env.CASSANDRA_SERIAL,
      replication: env.CASSANDRA_REPLICATION ?? (embedded ? 1 : 3),
    },
    // One node, one clock: only its steps and this process's drift are left.
    maxClockSkewMs: embedded ? 100 : 500,
    adminPassword: env.LEASEHOLD_ADMIN_PASSWORD,
    auditKey: env.LEASEHOLD_AUDIT_KEY,
    adminActions: env.LEASEHOLD_ADMIN_ACTIONS === 'enabled',
    trustProxy: env.LEASEHOLD_TRUST_PROXY === '1',
    sso: readSsoConfig(env),
    metrics: readMetricsConfig(env, file.tables),
    // A console that looks at a cluster of one’s own carries no demo, unless it is asked to.
    lab: env.LEASEHOLD_LAB === undefined ? embedded : env.LEASEHOLD_LAB === 'enabled',
    demo: env.LEASEHOLD_DEMO === '1',
    history: { days: env.LEASEHOLD_HISTORY_DAYS },
    ...file,
  }
}
