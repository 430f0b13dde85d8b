import { run } from '../process/run.mjs'
import { Failure } from '../terminal/failure.mjs'

/**
 * @param {{ home: string | null } | null} java the Java that Maven is to run on
 * @param {NodeJS.ProcessEnv} [env]
 */
export function mavenEnv(java, env = process.env) {
  return java?.home ? { ...env, JAVA_HOME: java.home } : env
}

/**
 * @param {{ home: string | null } | null} java
 * @returns {Promise<string | null>} Maven's version
 */
export async function findMaven(java) {
  const ran = await run('mvn', ['-B', '--version'], { env: mavenEnv(java) })
  return ran.code === 0 ? (/Apache Maven (\S+)/.exec(ran.output)?.[1] ?? 'of unknown version') : null
}

export function noMavenSentence(platform = process.platform) {
  const how =
    platform === 'darwin'
      ? 'install it (`brew install maven`)'
      : 'install it (Debian and Ubuntu: `sudo apt-get install maven`; elsewhere: https://maven.apache.org/install.html)'
  return `The embedded Cassandra is fetched by Maven, and there is no working \`mvn\` on the PATH: ${how}, or set CASSANDRA_CONTACT_POINTS to use a Cassandra of your own.`
}

export const noMaven = () => new Failure(noMavenSentence())
