import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isBuilt } from '../console/build.mjs'
import { importCompiled } from '../console/compile.mjs'
import { ROOT } from '../process/registry.mjs'
import { Failure } from '../terminal/failure.mjs'

/** Where the console reads its configuration. */
const READER = 'start/config/config'
/** The roles of the embedded node are its own. */
const ROLES = /^CASSANDRA_((READ_|SCHEMA_)?(USERNAME|PASSWORD)(_FILE)?|PROGRAM_ROLE)$/
/** Known once it runs. */
const EMBEDDED = {
  CASSANDRA_CONTACT_POINTS: '127.0.0.1',
  CASSANDRA_REPLICATION: '1',
  LEASEHOLD_EMBEDDED: '1',
}

/**
 * The console's own reader of settings: of its build, or compiled for this alone where the build is yet to come, since that
 * takes seconds, and a build minutes. A service that was built may not be able to write what is compiled.
 */
const ownReader = () =>
  isBuilt(ROOT)
    ? import(pathToFileURL(join(ROOT, '.next', 'leasehold', 'console', `${READER}.js`)).href)
    : importCompiled(READER)

/**
 * Wrong settings end a start as soon as the packages are there, and not after Cassandra was started and the console built. A
 * step of its own: no other one that is running then is taken for the one that failed.
 * @param {NodeJS.ProcessEnv} environment what the console gets
 * @param {{
 *   embedded: boolean, steps: Pick<ReturnType<typeof import('../terminal/steps.mjs').createSteps>, 'step'>,
 *   reader?: typeof ownReader,
 * }} options
 * @throws Failure naming the variable and what is wrong with it
 */
export async function checkSettings(environment, { embedded, steps, reader = ownReader }) {
  const given = embedded
    ? {
        ...Object.fromEntries(Object.entries(environment).filter(([name]) => !ROLES.test(name))),
        ...EMBEDDED,
      }
    : environment
  await steps.step('check the settings', async () => {
    const { readConfig } = await reader()
    try {
      readConfig(given)
    } catch (thrown) {
      throw new Failure(/** @type {Error} */ (thrown).message)
    }
  })
}
