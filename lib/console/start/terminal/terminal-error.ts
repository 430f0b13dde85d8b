/** An error that the person at the terminal can mend: one sentence. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError'
  /** The typed arguments are wrong, rather than the stored rows. */
  readonly isUsage: boolean
  constructor(sentence: string, { isUsage = false, cause }: { isUsage?: boolean; cause?: unknown } = {}) {
    super(sentence, { cause })
    this.isUsage = isUsage
  }
}
