/**
 * `npm run user -- add ann --role operator`. The work is in user/run-user.mjs; it needs the packages, which `npm ci`
 * installs.
 */
import { ROOT } from './process/registry.mjs'
import { requirePackages } from './setup/packages.mjs'
import { runCommand } from './terminal/command.mjs'
import { readArguments, USER_HELP } from './user/arguments.mjs'

await runCommand(async (args) => {
  const wanted = readArguments(args)
  if (wanted.help) {
    process.stdout.write(USER_HELP)
    return
  }
  requirePackages(ROOT)
  const { runUser } = await import('./user/run-user.mjs')
  await runUser(wanted)
})
