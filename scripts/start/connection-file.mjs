import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodePlaces } from '../cassandra/settings/places.mjs'
import { livePidRecord } from '../process/pid-file.mjs'

/** Where any driver finds the running embedded node. @param {string} dataDir */
export const connectionFile = (dataDir) => join(dataDir, 'cassandra.json')

/**
 * What `connect` of the library takes, with the role for programs.
 *
 * @param {string} dataDir
 * @param {{ contactPoint: string, keyspace: string, username: string, password: string }} node
 */
export function writeConnectionFile(dataDir, { contactPoint, keyspace, username, password }) {
  const file = connectionFile(dataDir)
  const content = {
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    username,
    password,
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** @param {string} dataDir */
export const removeConnectionFile = (dataDir) => rmSync(connectionFile(dataDir), { force: true })

/**
 * Why a command cannot use the embedded node, and what to do.
 *
 * @param {string} dataDir
 * @param {string} [found] what the command met
 */
export function noEmbeddedNode(dataDir, found) {
  const { ownerFile, systemLog } = nodePlaces(dataDir)
  const owner = livePidRecord(ownerFile)
  const because = found === undefined ? '' : ` (${found})`
  if (owner?.ending)
    return `Leasehold in ${dataDir} is ending (process ${owner.pid})${because}: start it with \`npm start\`.`
  if (owner)
    return `Leasehold in ${dataDir} is still starting, or its Cassandra does not answer${because}: wait until \`npm start\` (process ${owner.pid}) says that it is ready. Log: ${systemLog}.`
  return `No embedded Cassandra is running in ${dataDir}${because}: start it with \`npm start\`, or set CASSANDRA_CONTACT_POINTS to a cluster of yours.`
}
