import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where any driver finds the running embedded node. @param {string} dataDir */
export const connectionFile = (dataDir) => join(dataDir, 'cassandra.json')

/**
 * What `connect` of the library takes, with the role for programs.
 *
 * @param {string} dataDir
 * @param {{ contactPoint: string, keyspace: string, username: string, password: string }} node
 * @returns {() => void} removes it
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
  return () => rmSync(file, { force: true })
}
