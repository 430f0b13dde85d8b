import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Failure } from '../terminal/failure.mjs'

/** Where the console of this build reads its configuration. */
const READER = join('leasehold', 'console', 'start', 'config', 'config.js')
/** The roles of the embedded node are its own. */
const ROLES = /^CASSANDRA_((READ_|SCHEMA_)?(USERNAME|PASSWORD)(_FILE)?|PROGRAM_ROLE)$/
/** Known once it runs. */
const EMBEDDED = {
  CASSANDRA_CONTACT_POINTS: '127.0.0.1',
  CASSANDRA_REPLICATION: '1',
  LEASEHOLD_EMBEDDED: '1',
}

/**
 * Wrong settings end a start as soon as the console is built, and not after Cassandra was fetched and started. A step of
 * its own: no other one that is running then is taken for the one that failed.
 * @param {string} dist the directory of the build
 * @param {NodeJS.ProcessEnv} environment what the console gets
 * @param {{ embedded: boolean, steps: Pick<ReturnType<typeof import('../terminal/steps.mjs').createSteps>, 'step'> }} options
 * @throws Failure naming the variable and what is wrong with it
 */
export async function checkSettings(dist, environment, { embedded, steps }) {
  const given = embedded
    ? {
        ...Object.fromEntries(Object.entries(environment).filter(([name]) => !ROLES.test(name))),
        ...EMBEDDED,
      }
    : environment
  await steps.step('check the settings', async () => {
    const { readConfig } = await import(pathToFileURL(join(dist, READER)).href)
    try {
      readConfig(given)
    } catch (thrown) {
      throw new Failure(/** @type {Error} */ (thrown).message)
    }
  })
}
