/**
 * What the tools of a test run see of the environment: nothing of what configures a console, so that the result does
 * not hang on the shell it was started from; and where the run's own things are.
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
