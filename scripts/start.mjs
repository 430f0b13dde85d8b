/**
 * `npm start`. The work is in start/supervise.mjs; it is loaded when it is known that this Node can load it.
 */
import { runCommand } from './terminal/command.mjs'

await runCommand(async (args) => {
  const { main } = await import('./start/supervise.mjs')
  await main(args)
})
