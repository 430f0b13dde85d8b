import { fileURLToPath } from 'node:url'

const pomIn = (/** @type {string} */ folder) => fileURLToPath(new URL(`${folder}/pom.xml`, import.meta.url))

/**
 * The Cassandras that `npm test -- --cassandra` and `npm run test:cluster -- --cassandra` can start. The first is that of the
 * embedded node.
 */
export const VERSIONS = /** @type {const} */ (['5.0', '5.0-v1', '4.1', '4.1-v1'])

/** @typedef {typeof VERSIONS[number]} Version */

/**
 * Cassandra 4.1 is made for Java 8 and 11. It measures its objects with jamm 0.3.2, which reads private fields of the JDK
 * that Java 17 keeps closed; Cassandra 5.0 has a later jamm.
 */
const OPENED_FOR_JAMM = [
  'java.util.concurrent',
  'java.util.concurrent.atomic',
  'java.util.concurrent.locks',
  'java.nio',
]

/**
 * What `startNode` and `fetchJars` need to know of it. jars: the name of its folder of jars. javaOptions: arguments of java.
 *
 * @param {Version} version
 * @returns {{ pom: string | undefined, jars: string, paxosVariant: 'v1' | 'v2', javaOptions: string[] }}
 */
export function versionOf(version) {
  const isOld = version.startsWith('4.1')
  return {
    pom: isOld ? pomIn('version41') : undefined,
    jars: isOld ? 'jars41' : 'jars',
    paxosVariant: version.endsWith('-v1') ? 'v1' : 'v2',
    javaOptions: isOld ? OPENED_FOR_JAMM.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`) : [],
  }
}
