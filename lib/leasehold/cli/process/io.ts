/** The environment, the streams and the signals of the process. Commands take it as an argument, so that tests can. */
import { styleText } from 'node:util'

export interface Output {
  write(text: string): void
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number
}

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  /**
   * SIGPIPE is the failure of a write to stdout.
   * @returns a function that removes the listener
   */
  onSignal(signal: NodeJS.Signals, listener: () => void): () => void
}

export const outputOf = (stream: NodeJS.WriteStream): Output => ({
  write: (text) => void stream.write(text),
  get isTTY() {
    return stream.isTTY === true
  },
  // A terminal that does not know its size, such as a serial line, says 0.
  get columns() {
    return stream.columns || 80
  },
  get rows() {
    return stream.rows || 24
  },
})

export const processIo: Io = {
  env: process.env,
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  onSignal: (signal, listener) => {
    if (signal === 'SIGPIPE') {
      // Node ignores the signal itself, and must: each connection that breaks would raise it too.
      process.stdout.on('error', listener)
      return () => process.stdout.off('error', listener)
    }
    process.on(signal, listener)
    return () => process.off(signal, listener)
  },
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Colours the text on a terminal, unless NO_COLOR is set (https://no-color.org). */
export function styled({ env }: Io, output: Output, style: Style, text: string): string {
  const plain = !output.isTTY || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb'
  // Node's own check looks at stdout, even for text on stderr.
  return plain ? text : styleText(style, text, { validateStream: false })
}

/** Writes a sentence for people to stderr. */
export const say = (io: Io, sentence: string): void =>
  io.stderr.write(`${styled(io, io.stderr, 'dim', 'leasehold:')} ${sentence}\n`)
