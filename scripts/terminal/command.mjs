import { setTimeout as sleep } from 'node:timers/promises'
import { endsInOrder } from '../process/interruption.mjs'
import { requireNode } from '../setup/node-version.mjs'
import { Failure, sentenceOf } from './failure.mjs'

/** The reader has enough, as `head`: what a shell says of a command that SIGPIPE ended. The list was cut, so it is not 0. */
const CLOSED_PIPE = 141

/**
 * The frame of a command: checks Node first, ends with an exit code, and says failures in sentences.
 *
 * @param {(args: string[]) => Promise<number | void>} main gives the exit code; 0 when nothing
 * @param {{ failsWith?: number }} [options] the exit code of each failure, where 1 says something else; without it, each has its own
 */
export async function runCommand(main, { failsWith } = {}) {
  const fail = (/** @type {unknown} */ error) => failed(error, failsWith)
  process.on('uncaughtException', fail)
  // First of all listeners: a command that waits for `drain` would take it for a failure of its own.
  process.stdout.on('error', (error) => {
    if (endsInOrder()) return
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EPIPE') process.exit(CLOSED_PIPE)
    void fail(error)
  })
  process.stderr.on('error', () => {})
  try {
    requireNode()
    await exit((await main(process.argv.slice(2))) ?? 0)
  } catch (error) {
    await fail(error)
  }
}

/**
 * @param {unknown} error
 * @param {number | undefined} code
 */
async function failed(error, code) {
  process.stderr.write(`\n${sentenceOf(error)}\n`)
  await exit(code ?? (error instanceof Failure ? error.exitCode : 1))
}

/**
 * `process.exit` discards what a pipe has not taken yet: the last lines, which matter most. So this waits for the
 * reader, but only for a moment.
 *
 * @param {number} code
 */
async function exit(code) {
  const flushed = [process.stdout, process.stderr].map(
    (stream) => new Promise((done) => stream.write('', () => done(undefined))),
  )
  await Promise.race([Promise.all(flushed), sleep(2_000)])
  process.exit(code)
}
