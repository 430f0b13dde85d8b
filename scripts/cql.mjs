/**
 * `npm run cql -- "SELECT …"`. The work is in cql/run-statement.mjs; it needs the driver, which `npm ci` installs.
 */
import { CQL_HELP, readArguments } from './cql/arguments.mjs'
import { ROOT } from './process/registry.mjs'
import { requirePackages } from './setup/packages.mjs'
import { runCommand } from './terminal/command.mjs'

await runCommand(async (args) => {
  const wanted = readArguments(args)
  if (wanted.help) {
    process.stdout.write(CQL_HELP)
    return
  }
  requirePackages(ROOT)
  const { runStatement } = await import('./cql/run-statement.mjs')
  await runStatement(wanted)
})
