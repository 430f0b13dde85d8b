import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where any driver finds the running embedded node. @param {string} dataDir */
export const connectionFile = (dataDir) => join(dataDir, 'cassandra.json')

/**
 * @param {string} dataDir
 * @param {{ contactPoint: string, keyspace: string }} node
 * @returns {() => void} removes it
 */
export function writeConnectionFile(dataDir, { contactPoint, keyspace }) {
  const file = connectionFile(dataDir)
  const content = {
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    username: null,
    password: null,
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return () => rmSync(file, { force: true })
}
