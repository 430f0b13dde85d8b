/**
 * The environment of the tools of a test run: without the settings of a console, so that the result does not depend on
 * the shell; with the places of the run's own files.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {{ testDir: string, jarsDir: string, distDir: string }} places
 * @returns {NodeJS.ProcessEnv}
 */
export function testEnvironment(env, { testDir, jarsDir, distDir }) {
  const kept = Object.entries(env).filter(
    ([name]) =>
      !/^(CASSANDRA_|LEASEHOLD_(?!DEBUG$))/.test(name) &&
      !['PORT', 'HOST', 'PUBLIC_URL', 'NODE_ENV'].includes(name),
  )
  return {
    ...Object.fromEntries(kept),
    NEXT_TELEMETRY_DISABLED: '1',
    /** The run's directory. A test that needs a node of its own makes it under nodes/, where it is found after a crash. */
    LEASEHOLD_TEST_DIR: testDir,
    LEASEHOLD_JARS: jarsDir,
    LEASEHOLD_DIST_DIR: distDir,
  }
}
