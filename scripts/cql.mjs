/**
 * `npm run cql -- "SELECT …"`. The work is in cql/run-statement.mjs; it needs the driver, which `npm ci` installs.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CQL_HELP, readArguments } from './cql/arguments.mjs'
import { ROOT } from './process/registry.mjs'
import { runCommand } from './terminal/command.mjs'
import { Failure } from './terminal/failure.mjs'

await runCommand(async (args) => {
  const wanted = readArguments(args)
  if (wanted.help) {
    process.stdout.write(CQL_HELP)
    return
  }
  if (!existsSync(join(ROOT, 'node_modules', 'cassandra-driver'))) {
    throw new Failure('The packages are not installed yet: `npm start` installs them.')
  }
  const { runStatement } = await import('./cql/run-statement.mjs')
  await runStatement(wanted)
})
