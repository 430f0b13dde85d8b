/**
 * `npm run user -- add ann --role operator`. The work is in user/run-user.mjs; it needs the packages, which `npm ci`
 * installs.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './process/registry.mjs'
import { runCommand } from './terminal/command.mjs'
import { Failure } from './terminal/failure.mjs'
import { readArguments, USER_HELP } from './user/arguments.mjs'

await runCommand(async (args) => {
  const wanted = readArguments(args)
  if (wanted.help) {
    process.stdout.write(USER_HELP)
    return
  }
  if (!existsSync(join(ROOT, 'node_modules', 'cassandra-driver'))) {
    throw new Failure('The packages are not installed yet: `npm start` installs them.')
  }
  const { runUser } = await import('./user/run-user.mjs')
  await runUser(wanted)
})
