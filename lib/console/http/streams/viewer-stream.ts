/**
 * The life of one viewer’s stream of events, whatever it shows: it begins when the connection is open, and ends with a word when the
 * viewer may not watch any longer, and when this process is about to end.
 */
import { onAbort } from 'leasehold/time'
import type { AnswerStream, StreamSink } from '../adapters/api-request.ts'
import { HttpProblem } from '../http-problem.ts'
import { eventText } from './event-text.ts'
import type { StreamTurns } from './stream-turns.ts'

interface StreamViewer {
  /** The connection is open, its sender may watch, and it is this stream's turn. */
  begin(sink: StreamSink): void
  /** The connection takes more, after a `write` that returned false. */
  drained(): void
  /** The connection has ended, or never began. Called once. */
  closed(): void
}

interface Around {
  /** Who asked for the stream. */
  readonly sender: string
  /** Aborted with an HttpProblem when the sender may not watch any longer; with anything else when it has gone. */
  readonly signal: AbortSignal
  /** Aborted when this process is about to end. */
  readonly closing: AbortSignal
  readonly turns: StreamTurns
}

export function viewerStream(viewer: StreamViewer, { sender, signal, closing, turns }: Around): AnswerStream {
  let sink: StreamSink | undefined
  const gone = new AbortController()
  let forget: (() => void)[] = []
  const end = (reason: 'session' | 'closing') => {
    gone.abort()
    sink?.write(eventText('end', null, JSON.stringify({ reason })))
    sink?.end()
  }
  const leave = () => {
    gone.abort()
    sink?.end()
  }
  const ended = () => (signal.reason instanceof HttpProblem ? end('session') : leave())
  const close = () => end('closing')
  return {
    open: (opened) => {
      sink = opened
      if (closing.aborted || signal.aborted) return closing.aborted ? close() : ended()
      forget = [onAbort(signal, ended), onAbort(closing, close)]
      turns.take(sender, () => viewer.begin(opened), gone.signal, leave)
    },
    drained: () => {
      if (sink !== undefined) viewer.drained()
    },
    closed: () => {
      gone.abort()
      for (const each of forget) each()
      viewer.closed()
    },
  }
}
