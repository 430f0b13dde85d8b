/**
 * `npm run build`: what `npm start` builds, ahead of it: for an image, or for a service that may not write its program.
 */
import { runCommand } from './terminal/command.mjs'

await runCommand(async () => {
  const { join } = await import('node:path')
  const { ensureBuild } = await import('./console/build.mjs')
  const { compileCommands } = await import('./console/compile.mjs')
  const { onInterruption } = await import('./process/interruption.mjs')
  const { REGISTRY, ROOT } = await import('./process/registry.mjs')
  const { ensurePackages } = await import('./setup/packages.mjs')
  const { createSteps } = await import('./terminal/steps.mjs')
  const steps = createSteps()
  const ending = new AbortController()
  const { signal } = ending
  onInterruption(() => ending.abort())
  try {
    await steps.step('install packages', (report) =>
      ensurePackages(ROOT, { report, signal, logFile: join(REGISTRY, 'npm-ci.log') }),
    )
    await steps.step('build the console', (report) =>
      ensureBuild(ROOT, { report, signal, logFile: join(REGISTRY, 'build.log') }),
    )
    await steps.step('compile the commands user and audit', async (report) =>
      report(await compileCommands({ report, signal })),
    )
  } catch (error) {
    if (signal.aborted) return 130
    throw error
  }
})
