/**
 * `npm run audit -- verify`. The work is in audit/; it needs the driver and the compiler, which `npm ci` installs. Each failure ends with 2: 1
 * says that the log was changed, and a monitor calls people for it.
 */
import { AUDIT_HELP, readArguments } from './audit/arguments.mjs'
import { ROOT } from './process/registry.mjs'
import { requirePackages } from './setup/packages.mjs'
import { runCommand } from './terminal/command.mjs'

await runCommand(
  async (args) => {
    const wanted = readArguments(args)
    if (wanted.command === 'help') {
      process.stdout.write(AUDIT_HELP)
      return
    }
    requirePackages(ROOT)
    const { runAudit } = await import('./audit/run-audit.mjs')
    return runAudit(wanted)
  },
  { failsWith: 2 },
)
