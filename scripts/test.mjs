/**
 * `npm test`. The work is in test/run-tests.mjs; it is loaded when it is known that this Node can load it.
 */
import { runCommand } from './terminal/command.mjs'

await runCommand(async (args) => {
  const { main } = await import('./test/run-tests.mjs')
  return main(args)
})
