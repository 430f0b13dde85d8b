import cassandra from 'cassandra-driver'
import { InvalidArgumentError, StoreRefusedError, StoreUnavailableError } from '../../lease/index.ts'
import type { PaxosVariant } from '../../time/index.ts'
import { type ConnectClientOptions, type ConnectOptions, clientOptions } from '../driver/client-options.ts'
import { fromDriver } from '../driver/driver-error.ts'
import { OpenedClient } from '../driver/opened-client.ts'
import { runStatement } from '../driver/run-statement.ts'
import { quoteIdentifier } from '../schema/identifiers.ts'
import { type ClusterFacts, clusterFacts } from './cluster-facts.ts'
import { serialAdvice } from './serial-advice.ts'
import { CassandraSession, type SessionParts } from './session.ts'

/**
 * Connects to a cluster, and reads its facts: `session.facts`.
 * @throws StoreUnavailableError when no contact point answers, StoreRefusedError on wrong credentials,
 * InvalidArgumentError when a setting contradicts the cluster, ClosedError when the client is shut down
 * @example
 * const session = await connect({ contactPoints: ['127.0.0.1'], localDataCenter: 'datacenter1', keyspace: 'leasehold' })
 * @example
 * const { client } = session // or the `Client` that an application has
 * const over = await connect({ client, keyspace: 'leasehold' })
 */
export async function connect(options: ConnectOptions | ConnectClientOptions): Promise<CassandraSession> {
  checkSettings(options)
  if (options.client !== undefined) {
    const { client } = options
    await opened(client)
    return sessionOver(options, { client, reader: client, close: async () => {} })
  }
  const clients: OpenedClient[] = []
  const close = async () => {
    await Promise.all(clients.map((each) => each.close()))
  }
  try {
    clients.push(await connected(options))
    if (options.reader !== undefined) clients.push(await connected({ ...options, ...options.reader }))
    const [writer, reader = writer] = clients.map(({ client }) => client)
    return await sessionOver(options, {
      client: writer as cassandra.Client,
      reader: reader as cassandra.Client,
      close,
    })
  } catch (thrown) {
    await close()
    throw thrown
  }
}

type Clients = Pick<SessionParts, 'client' | 'reader' | 'close'>

async function sessionOver(
  options: ConnectOptions | ConnectClientOptions,
  { client, reader, close }: Clients,
): Promise<CassandraSession> {
  const { keyspace, serial = 'SERIAL', telemetry, recordEvents } = options
  const facts = await clusterFacts(reader, keyspace, (...statement) => runStatement(reader, ...statement))
  return new CassandraSession({
    client,
    reader,
    keyspace,
    serial,
    serialAdvice: serialAdvice(serial, { keyspace, localDataCenter: localDataCenterOf(options) }, facts),
    facts,
    paxosVariant: paxosVariantOf(options.paxosVariant, facts),
    telemetry,
    recordEvents,
    close,
  })
}

/** Checks what the compiler cannot check for callers in JavaScript. */
function checkSettings({ keyspace, serial, paxosVariant }: ConnectOptions | ConnectClientOptions): void {
  quoteIdentifier('keyspace', keyspace)
  if (serial !== undefined && serial !== 'SERIAL' && serial !== 'LOCAL_SERIAL')
    throw new InvalidArgumentError(`serial is ${JSON.stringify(serial)}; SERIAL or LOCAL_SERIAL is expected.`)
  if (paxosVariant !== undefined && paxosVariant !== 'v1' && paxosVariant !== 'v2')
    throw new InvalidArgumentError(`paxosVariant is ${JSON.stringify(paxosVariant)}; v1 or v2 is expected.`)
}

function localDataCenterOf(options: ConnectOptions | ConnectClientOptions): string | undefined {
  if (options.client === undefined) return options.localDataCenter
  // The driver's types lack `options`.
  return (options.client as unknown as { options?: cassandra.ClientOptions }).options?.localDataCenter
}

function paxosVariantOf(setting: PaxosVariant | undefined, facts: ClusterFacts): PaxosVariant {
  if (setting !== undefined && facts.paxosVariant !== null && setting !== facts.paxosVariant)
    throw new InvalidArgumentError(
      `The setting paxosVariant is ${setting}, but paxos_variant of the cluster ${facts.clusterName} is ${facts.paxosVariant}. Leave the setting out: this role may read the cluster's.`,
    )
  return facts.paxosVariant ?? setting ?? 'v1'
}

async function connected(options: ConnectOptions): Promise<OpenedClient> {
  const client = new OpenedClient(new cassandra.Client(clientOptions(options)))
  try {
    await opened(client.client)
  } catch (thrown) {
    await client.close()
    throw thrown
  }
  return client
}

async function opened(client: cassandra.Client): Promise<void> {
  try {
    await client.connect()
  } catch (thrown) {
    const inner = Object.values((thrown as cassandra.errors.NoHostAvailableError).innerErrors ?? {})[0]
    // The driver says of a wrong data centre that it found no host in it.
    if (/local ?data ?center/i.test((thrown as Error).message)) throw unreachable(thrown as Error)
    throw inner instanceof Error ? unreachable(inner) : fromDriver(thrown, 'read')
  }
}

/** The error for contact points that cannot be used, with the driver's own message. */
function unreachable(inner: Error): Error {
  if (inner.name === 'AuthenticationError' || inner.name === 'ResponseError') return fromDriver(inner, 'read')
  // A setting that no retry mends.
  if (/local ?data ?center/i.test(inner.message))
    return new StoreRefusedError(`localDataCenter is wrong: ${inner.message}`, { cause: inner })
  return new StoreUnavailableError(`No node of Cassandra can be reached: ${inner.message}`, { cause: inner })
}
