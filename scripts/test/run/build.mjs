/** Builds the console for the end-to-end tests, as a program of its own: it runs beside other stages, at a low priority. */
import { join } from 'node:path'
import { ensureBuild } from '../../console/build.mjs'
import { ROOT } from '../../process/registry.mjs'
import { runCommand } from '../../terminal/command.mjs'

// What it started ends with it: see the `exit` listeners of run.mjs.
process.once('SIGTERM', () => process.exit(143))

await runCommand(async () => {
  const distDir = process.env.LEASEHOLD_DIST_DIR ?? ''
  const logFile = join(process.env.LEASEHOLD_TEST_DIR ?? '', 'logs', 'build.log')
  await ensureBuild(ROOT, { distDir, logFile, report: (text) => console.log(text) })
})
