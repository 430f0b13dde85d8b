/**
 * `npm run fuzz`. The work is in fuzz/run-fuzz.mjs; it is loaded when it is known that this Node can load it.
 */
import { runCommand } from './terminal/command.mjs'

await runCommand(async (args) => {
  const { FUZZ_HELP, readArguments } = await import('./fuzz/arguments.mjs')
  if (readArguments(args).help) {
    process.stdout.write(FUZZ_HELP)
    return 0
  }
  const { ROOT } = await import('./process/registry.mjs')
  const { requirePackages } = await import('./setup/packages.mjs')
  requirePackages(ROOT)
  const { main } = await import('./fuzz/run-fuzz.mjs')
  return main(args)
})
