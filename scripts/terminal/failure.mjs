/**
 * A failure that a user can meet and mend. Its message is one sentence: what is wrong, and what to do.
 * Any other error is a bug in these scripts.
 */
export class Failure extends Error {
  /**
   * @param {string} sentence
   * @param {{ cause?: unknown, details?: string, exitCode?: number }} [more] details: the tail of a log, shown below
   *   the sentence
   */
  constructor(sentence, { cause, details, exitCode = 1 } = {}) {
    super(sentence, { cause })
    this.name = 'Failure'
    this.details = details
    this.exitCode = exitCode
  }
}

/**
 * What to print for anything that was thrown. Never a stack: the reader started a program, and did not write it.
 * `LEASEHOLD_DEBUG=1` shows the stack to developers.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function sentenceOf(error) {
  if (process.env.LEASEHOLD_DEBUG === '1' && error instanceof Error) return String(error.stack)
  if (error instanceof Failure) return error.details ? `${error.message}\n\n${error.details}` : error.message
  const code = /** @type {NodeJS.ErrnoException} */ (error)?.code
  const path = /** @type {NodeJS.ErrnoException} */ (error)?.path
  if (code === 'ENOSPC') return `The disk is full${at(path)}: free some space, then try again.`
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
    return `Writing is not allowed${at(path)} (${code}): change its permissions, or set LEASEHOLD_DATA_DIR to a directory you may write to.`
  const message = error instanceof Error ? error.message : String(error)
  return `Unexpected error: ${message.split('\n')[0]} (LEASEHOLD_DEBUG=1 shows where).`
}

/** @param {string | undefined} path */
const at = (path) => (path ? ` at ${path}` : '')
