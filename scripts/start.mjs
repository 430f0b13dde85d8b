/**
 * `npm start`. The work is in start/supervise.mjs; it is loaded when it is known that this Node can load it.
 */
import { runCommand } from './terminal/command.mjs'

await runCommand(async (args) => {
  const [{ main }, { START }] = await Promise.all([
    import('./start/supervise.mjs'),
    import('./start/modes.mjs'),
  ])
  await main(args, START)
})
