import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireJava } from '../../setup/java.mjs'
import { fetchJars, jarsComplete } from '../jars.mjs'
import { startNode } from '../node.mjs'

const POM = fileURLToPath(new URL('pom.xml', import.meta.url))

/** Its metadata go through a log of their own, which a busy machine makes wait for longer than the defaults allow. */
const SETTINGS = `accord:
  enabled: true
cas_contention_timeout: 30s
read_request_timeout: 30s
write_request_timeout: 30s
request_timeout: 30s
`

/**
 * Starts Cassandra 6.0-alpha2 with Accord, with nothing in it. The first start fetches the jars through Maven.
 *
 * @param {{ dataDir: string, report?: (text: string) => void }} options
 * @returns {Promise<import('../node.mjs').CassandraNode>}
 */
export async function startNode6({ dataDir, report = () => {} }) {
  const jarsDir = join(dataDir, 'jars6')
  mkdirSync(dirname(jarsDir), { recursive: true, mode: 0o700 })
  rmSync(join(dataDir, 'cassandra'), { recursive: true, force: true })
  const java = await requireJava()
  if (!jarsComplete(jarsDir, POM)) await fetchJars(jarsDir, { java, report, pom: POM })
  return startNode({
    dataDir,
    jarsDir,
    pom: POM,
    java: java.path,
    heapMb: 768,
    log: report,
    moreYaml: SETTINGS,
  })
}
