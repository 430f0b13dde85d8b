/**
 * `npm run fuzz`. The work is in fuzz/run-fuzz.mjs; it is loaded when it is known that this Node can load it.
 */
import { runCommand } from './terminal/command.mjs'

await runCommand(async (args) => {
  const { main } = await import('./fuzz/run-fuzz.mjs')
  return main(args)
})
