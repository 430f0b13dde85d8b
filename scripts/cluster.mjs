/**
 * `npm run test:cluster`. The work is in scripts/cluster/run-cluster.mjs; it is loaded when it is known that this Node can load
 * it.
 */
import { runCommand } from './terminal/command.mjs'

await runCommand(async (args) => {
  const { CLUSTER_HELP, readArguments } = await import('./cluster/arguments.mjs')
  if (readArguments(args).help) {
    process.stdout.write(CLUSTER_HELP)
    return 0
  }
  const { main } = await import('./cluster/run-cluster.mjs')
  return main(args)
})
