/** The connection's settings, from the options, the environment, or the embedded node's file. Reads files, no more. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectOptions, TableMapping } from '../../cassandra/index.ts'
import type { PaxosVariant } from '../../time/index.ts'
import { usageError } from '../process/cli-error.ts'

export interface ConnectionOptions {
  readonly contactPoints?: string
  readonly dc?: string
  readonly keyspace?: string
  readonly username?: string
  readonly server?: string
  readonly token?: string
  readonly table?: string
  readonly nameColumn?: string
  readonly ownerColumn?: string
  readonly valueColumn?: string
  readonly paxosVariant?: string
}

export type Connection =
  | {
      kind: 'cassandra'
      connect: ConnectOptions
      mapping: TableMapping | null
      /** The file of an embedded node that named the cluster. */
      file?: string | undefined
    }
  | {
      kind: 'server'
      url: URL
      token: string | undefined
      table: string | undefined
      paxosVariant: PaxosVariant | undefined
    }

/**
 * The variables with a secret: those of `connectionOf`, and those of the console, with whose environment the command may run
 * (`secretVariables` of lib/console, which a package cannot import).
 */
export const secretVariables: readonly string[] = [
  'CASSANDRA_PASSWORD',
  'CASSANDRA_READ_PASSWORD',
  'CASSANDRA_SCHEMA_PASSWORD',
  'LEASEHOLD_ADMIN_PASSWORD',
  'LEASEHOLD_API_TOKEN',
  'LEASEHOLD_AUDIT_KEY',
  'LEASEHOLD_METRICS_TOKEN',
  'LEASEHOLD_OIDC_CLIENT_SECRET',
]

/** The variables that hold a secret, or name a file with one. */
export const credentialVariables: readonly string[] = [
  'CASSANDRA_TLS_KEY',
  ...secretVariables.flatMap((name) => [name, `${name}_FILE`]),
]

type Env = Readonly<Record<string, string | undefined>>
type ReadFile = (path: string) => string

const readText: ReadFile = (path) => readFileSync(path, 'utf8')

/**
 * The command line overrides the environment. A server comes before contact points, and both come before the embedded
 * node's file.
 * @throws CliError (64)
 */
export function connectionOf(options: ConnectionOptions, env: Env, read: ReadFile = readText): Connection {
  const given = (name: string) => (env[name] === '' ? undefined : env[name])
  if (options.server !== undefined && options.contactPoints !== undefined)
    throw usageError('--server and --contact-points are both given; give one of them.')
  const server =
    options.server ?? (options.contactPoints === undefined ? given('LEASEHOLD_SERVER') : undefined)
  if (server !== undefined) return serverConnection(server, options, given, read)
  if (options.token !== undefined)
    throw usageError('--token is for a server: give --server URL with it, or set LEASEHOLD_SERVER.')

  const points = options.contactPoints ?? given('CASSANDRA_CONTACT_POINTS')
  const file = join(given('LEASEHOLD_DATA_DIR') ?? '.leasehold', 'cassandra.json')
  const embedded = points === undefined ? embeddedNode(file, read) : {}
  const contactPoints = points?.split(',').flatMap((point) => point.trim() || []) ?? embedded.contactPoints
  if (contactPoints === undefined || contactPoints.length === 0)
    throw usageError(noCluster(points === undefined ? file : null))
  const username = options.username ?? given('CASSANDRA_USERNAME') ?? embedded.username
  const password = secret('CASSANDRA_PASSWORD', given, read) ?? embedded.password
  if (password !== undefined && username === undefined)
    throw usageError('CASSANDRA_PASSWORD is set, but no user: give --username, or set CASSANDRA_USERNAME.')
  const serial = given('CASSANDRA_SERIAL')
  if (serial !== undefined && serial !== 'SERIAL' && serial !== 'LOCAL_SERIAL')
    throw usageError('CASSANDRA_SERIAL is neither SERIAL nor LOCAL_SERIAL.')
  return {
    kind: 'cassandra',
    connect: {
      contactPoints,
      localDataCenter: options.dc ?? given('CASSANDRA_LOCAL_DC') ?? embedded.localDataCenter ?? 'datacenter1',
      keyspace: options.keyspace ?? given('CASSANDRA_KEYSPACE') ?? embedded.keyspace ?? 'leasehold',
      username,
      password,
      tls: tlsOf(given, read),
      serial,
      paxosVariant: paxosVariantOf(options, given),
    },
    mapping: mappingOf(options),
    file: points === undefined ? file : undefined,
  }
}

/** @param missing the file of the embedded node, where nothing else was named either */
const noCluster = (missing: string | null): string => {
  const ways = '--contact-points HOST or --server URL, or set CASSANDRA_CONTACT_POINTS or LEASEHOLD_SERVER.'
  return missing === null
    ? `No cluster and no server is named. Give ${ways}`
    : `No cluster and no server is named, and no Cassandra of \`npm start\` is ready (there is no ${missing}). Run \`npm start\` and wait until it is ready; or give ${ways}`
}

type Given = (name: string) => string | undefined

function serverConnection(
  text: string,
  options: ConnectionOptions,
  given: Given,
  read: ReadFile,
): Connection {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw usageError(`${JSON.stringify(text)} is not an http or https URL.`)
  for (const column of ['nameColumn', 'ownerColumn', 'valueColumn'] as const)
    if (options[column] !== undefined)
      throw usageError('The columns are mapped by the server (LEASEHOLD_CONFIG); give --table alone.')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw usageError(
      'The URL contains credentials; give --token, or set LEASEHOLD_API_TOKEN or LEASEHOLD_API_TOKEN_FILE.',
    )
  return {
    kind: 'server',
    url,
    token: options.token ?? secret('LEASEHOLD_API_TOKEN', given, read),
    table: options.table,
    paxosVariant: paxosVariantOf(options, given),
  }
}

/** @throws CliError (64) */
function paxosVariantOf({ paxosVariant }: ConnectionOptions, given: Given): PaxosVariant | undefined {
  const variant = paxosVariant ?? given('CASSANDRA_PAXOS_VARIANT')
  if (variant === undefined || variant === 'v1' || variant === 'v2') return variant
  const source = paxosVariant === undefined ? 'CASSANDRA_PAXOS_VARIANT' : '--paxos-variant'
  throw usageError(`${source} is ${JSON.stringify(variant)}; v1 or v2 is expected.`)
}

/** `NAME`, or the file that `NAME_FILE` names. */
function secret(name: string, given: Given, read: ReadFile): string | undefined {
  const file = given(`${name}_FILE`)
  if (file === undefined) return given(name)
  if (given(name) !== undefined) throw usageError(`${name} and ${name}_FILE are both set; set one of them.`)
  // The end of its last line alone: a space may be part of a password.
  return readNamed(`${name}_FILE`, file, read).replace(/[\r\n]+$/, '')
}

function tlsOf(given: Given, read: ReadFile): ConnectOptions['tls'] {
  const [ca, cert, key] = (['CASSANDRA_TLS_CA', 'CASSANDRA_TLS_CERT', 'CASSANDRA_TLS_KEY'] as const).map(
    (name) => {
      const file = given(name)
      return file === undefined ? undefined : readNamed(name, file, read)
    },
  )
  if (ca === undefined) {
    if (cert !== undefined || key !== undefined)
      throw usageError(
        'CASSANDRA_TLS_CERT and CASSANDRA_TLS_KEY need CASSANDRA_TLS_CA: verification is always on.',
      )
    return undefined
  }
  return { ca, cert, key }
}

function mappingOf({ table, nameColumn, ownerColumn, valueColumn }: ConnectionOptions): TableMapping | null {
  if ((table ?? nameColumn ?? ownerColumn ?? valueColumn) === undefined) return null
  // A table other than `leases` has a value column only if the caller names one.
  const own = table === undefined || table === 'leases'
  return {
    table: table ?? 'leases',
    name: nameColumn ?? 'name',
    owner: ownerColumn ?? 'owner',
    value: valueColumn ?? (own ? 'value' : null),
  }
}

interface NodeFile {
  contactPoints?: string[] | undefined
  localDataCenter?: string | undefined
  keyspace?: string | undefined
  username?: string | undefined
  password?: string | undefined
}

/** The file that `npm start` writes for other programs while its node runs. */
function embeddedNode(file: string, read: ReadFile): NodeFile {
  let content: string
  try {
    content = read(file)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw usageError(`${file} cannot be read (${(thrown as NodeJS.ErrnoException).code}).`)
  }
  try {
    const json: unknown = JSON.parse(content)
    if (typeof json !== 'object' || json === null) throw new TypeError('it is no object')
    const found = json as Record<string, unknown>
    const text = (key: string) => (typeof found[key] === 'string' ? found[key] : undefined)
    const points = found.contactPoints
    if (!Array.isArray(points) || !points.every((point) => typeof point === 'string'))
      throw new TypeError('it names no contactPoints')
    return {
      contactPoints: points,
      localDataCenter: text('localDataCenter'),
      keyspace: text('keyspace'),
      username: text('username'),
      password: text('password'),
    }
  } catch (thrown) {
    throw usageError(`${file} cannot be used: ${(thrown as Error).message}.`)
  }
}

function readNamed(what: string, file: string, read: ReadFile): string {
  try {
    return read(file)
  } catch (thrown) {
    throw usageError(`${what}: the file ${file} cannot be read (${(thrown as NodeJS.ErrnoException).code}).`)
  }
}
