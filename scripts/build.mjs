/**
 * `npm run build`: what `npm start` builds, ahead of it: for an image, or for a service that may not write its program.
 */
import { runCommand } from './terminal/command.mjs'
import { Failure } from './terminal/failure.mjs'

const HELP = `npm run build: builds ahead of npm start, for an image or a service

Usage
  npm run build             packages, the console, the commands user and audit
  npm run build -- --help   this text

It installs the packages, builds the console into .next/, and compiles the library and
what npm run user and npm run audit run. Each of these is skipped while it is up to date.
npm start then builds nothing, so that its user needs no right to write the program. It
builds again when a source, the version of Node or a NEXT_PUBLIC_ variable has changed.
Logs: .leasehold-run/npm-ci.log, .leasehold-run/build.log.

The library alone, for programs that import it: npm run build -w leasehold

Exit code: 0; 1 when it failed; 2 when the arguments are wrong; 130 when interrupted.
`

await runCommand(async (args) => {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP)
    return 0
  }
  if (args.length > 0)
    throw new Failure(`npm run build knows no argument "${args[0]}": see npm run build -- --help.`, {
      exitCode: 2,
    })
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
