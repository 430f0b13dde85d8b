/** The console that some benchmarks ask, or the tables alone for those that ask none. */
import { roleEnvironment } from '../../scripts/cassandra/roles-file.mjs'
import { startServer } from '../../scripts/console/server.mjs'
import { randomFreePorts } from '../../scripts/process/ports.mjs'

const credentials = { username: 'admin', password: 'measured, not guessed' }

/**
 * @typedef {{ url: string, headers: Record<string, string>, password: string, pid: number, stop: () => Promise<void> }} Served
 *   headers: those of a session of the user `admin`
 * @param {{ root: string, node: import('../../scripts/cassandra/node.mjs').CassandraNode, keyspace: string, dataDir: string, distDir: string }} options
 * @returns {Promise<Served>}
 */
export async function serveConsole({ root, node, keyspace, dataDir, distDir }) {
  const [port] = await randomFreePorts(1)
  const url = `http://127.0.0.1:${port}`
  const server = await startServer({
    root,
    host: '127.0.0.1',
    port,
    distDir,
    env: {
      PUBLIC_URL: url,
      CASSANDRA_CONTACT_POINTS: node.contactPoint,
      CASSANDRA_KEYSPACE: keyspace,
      CASSANDRA_REPLICATION: '1',
      LEASEHOLD_EMBEDDED: '1',
      LEASEHOLD_DATA_DIR: dataDir,
      LEASEHOLD_ADMIN_PASSWORD: credentials.password,
      ...roleEnvironment(node.roles),
    },
  })
  const headers = { origin: url, 'content-type': 'application/json' }
  const signedIn = await fetch(`${url}/v1/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify(credentials),
  })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return {
    url,
    headers: { ...headers, cookie },
    password: credentials.password,
    pid: server.pid,
    stop: () => server.stop(),
  }
}

/**
 * @param {{ node: import('../../scripts/cassandra/node.mjs').CassandraNode, keyspace: string }} options
 * @returns {Promise<Served>} no server at all
 */
export async function withoutConsole({ node, keyspace }) {
  const { default: cassandra } = await import('cassandra-driver')
  const { connect, createTables } = await import('leasehold/cassandra')
  const where = { contactPoints: [node.contactPoint], localDataCenter: 'datacenter1' }
  const admin = new cassandra.Client({ ...where, credentials: node.roles.admin })
  const replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}"
  try {
    await admin.execute(`CREATE KEYSPACE ${keyspace} WITH replication = ${replication}`)
    const session = await connect({ ...where, keyspace, ...node.roles.admin })
    await createTables(session).finally(() => session.close())
    for (const role of [node.roles.program, node.roles.writer])
      for (const permission of ['SELECT', 'MODIFY'])
        await admin.execute(`GRANT ${permission} ON KEYSPACE ${keyspace} TO ${role.username}`)
  } finally {
    await admin.shutdown()
  }
  return { url: '', headers: {}, password: '', pid: 0, stop: async () => {} }
}
