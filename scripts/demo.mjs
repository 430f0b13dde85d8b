/**
 * `npm run demo`: as `npm start`, and then the election lab in a browser, with a leader about to die. The work is in
 * start/supervise.mjs; it is loaded when it is known that this Node can load it.
 */
import { runCommand } from './terminal/command.mjs'

await runCommand(async (args) => {
  const [{ main }, { DEMO }] = await Promise.all([
    import('./start/supervise.mjs'),
    import('./start/modes.mjs'),
  ])
  await main(args, DEMO)
})
