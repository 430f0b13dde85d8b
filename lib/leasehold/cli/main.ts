import { type Command, CommanderError } from 'commander'
import { toCliError } from './process/cli-error.ts'
import { exitCode } from './process/exit-codes.ts'
import { type Io, processIo, say } from './process/io.ts'
import { program } from './program.ts'

/**
 * The `leasehold` command.
 * @param argv the arguments after the command's name
 * @returns the exit code, after all connections are closed
 */
export async function main(argv: readonly string[], io: Io = processIo): Promise<number> {
  let code: number = exitCode.done
  const root: Command = program(io, (result) => {
    code = result
  })
  try {
    await root.parseAsync([...argv], { from: 'user' })
    return code
  } catch (thrown) {
    // Commander has written the message or the help already.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCode.done : exitCode.usage
    const end = toCliError(thrown)
    say(io, end.message)
    if ((io.env.LEASEHOLD_DEBUG ?? '') !== '') io.stderr.write(`${stackOf(end.cause ?? end)}\n`)
    return end.exit
  }
}

const stackOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
