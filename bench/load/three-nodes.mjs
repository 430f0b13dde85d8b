/** Three nodes of Cassandra on this machine, with the library's tables at replication 3, for one benchmark. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startThreeNodes } from '../../scripts/cassandra/cluster/three-nodes.mjs'

/**
 * Runs `work`, and stops the nodes after it. They let anyone in.
 * @param {{ root: string, java: string }} machine
 * @param {(where: { contactPoint: string, keyspace: string }) => Promise<void>} work
 */
export async function onThreeNodes({ root, java }, work) {
  const dataDir = join(root, '.leasehold-bench', 'three-nodes')
  const jarsDir = join(root, '.leasehold-bench', 'jars')
  const nodes = await startThreeNodes({ dataDir, jarsDir, java, heapMb: 512 })
  try {
    const { contactPoint } = nodes
    await work({ contactPoint, keyspace: await tablesOn(contactPoint) })
  } finally {
    await nodes.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** @param {string} contactPoint */
async function tablesOn(contactPoint) {
  const { default: cassandra } = await import('cassandra-driver')
  const { connect, createTables } = await import('leasehold/cassandra')
  const keyspace = 'bench'
  const where = { contactPoints: [contactPoint], localDataCenter: 'datacenter1' }
  const port = Number(contactPoint.split(':')[1])
  const admin = new cassandra.Client({ ...where, protocolOptions: { port, maxVersion: 4 } })
  try {
    const replication = "{'class': 'SimpleStrategy', 'replication_factor': 3}"
    await admin.execute(`CREATE KEYSPACE ${keyspace} WITH replication = ${replication}`)
    const session = await connect({ ...where, keyspace })
    await createTables(session).finally(() => session.close())
  } finally {
    await admin.shutdown()
  }
  return keyspace
}
