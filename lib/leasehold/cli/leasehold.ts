#!/usr/bin/env node
import { main } from './main.ts'
import { exitCode } from './process/exit-codes.ts'
import { processIo, say } from './process/io.ts'

/** The exit code when the output could not be written: what was not printed is not done. */
let unwritten: number | undefined

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader has enough, as `head`: no more to say.
  if (code !== 'EPIPE' && unwritten === undefined) say(processIo, `The output cannot be written: ${message}.`)
  unwritten ??= code === 'EPIPE' ? exitCode.outputClosed : exitCode.failed
  // A command that may hold a lease listens too: it resigns, and then ends.
  if (process.stdout.listenerCount('error') === 1) process.exit(unwritten)
})
process.stderr.on('error', () => {})

const code = await main(process.argv.slice(2))
// A driver that could not connect leaves sockets and timers behind, which would keep the process alive.
// The event of a write that failed comes after the callback.
process.stdout.write('', () => setImmediate(() => process.exit(unwritten ?? code)))
