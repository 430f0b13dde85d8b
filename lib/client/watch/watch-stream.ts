/** One window of leases, as the server streams it (`GET /v1/watch`). */
import type { ApiError } from '../call/api-error.ts'
import { hearServer, queryString } from '../call/call.ts'
import {
  type EventListener,
  type EventSource,
  EventStream,
  type StreamParts,
} from '../stream/event-stream.ts'
import { sharedAnswers } from '../stream/shared-answers.ts'
import { type LeaseView, type LeaseWindow, viewQuery } from '../view/lease-view.ts'
import type { WatchMessage } from './watch-answers.ts'

/** An event, and when it was written, by the page's clock. */
export type WatchNews = Extract<WatchMessage, { data: { now: string } }> & { atMs: number }

export interface StreamListener {
  news(news: WatchNews): void
  /** There is silence; null: it is over. `sinceMs`: when the last event came; null: none ever did. */
  silence(silence: { sinceMs: number | null } | null): void
  /** The connection broke, or was refused. It is tried again, unless `final`: then there is silence already, and it stays. */
  broken(error: ApiError, final: boolean): void
  /** The server ended the stream: this session may not watch any longer. */
  sessionEnded(): void
}

export class WatchStream extends EventStream<WatchMessage> {
  constructor(view: LeaseView & LeaseWindow, listener: StreamListener, parts?: StreamParts) {
    super(sourceOf(view), eventsFor(listener), parts)
  }
}

const sourceOf = (view: LeaseView & LeaseWindow): EventSource<WatchMessage> => ({
  path: `/v1/watch${queryString({ ...viewQuery(view), offset: view.offset, limit: view.limit })}`,
  parser: async () => (await import('./watch-answers.ts')).parseWatchEvent,
})

/** Whether Cassandra answers no read of the table. Where it refuses them, it answers. */
const saysSilent = (message: Extract<WatchMessage, { data: { now: string } }>): boolean =>
  message.name !== 'changes' && message.data.store.kind === 'lost' && message.data.store.refused !== true

function eventsFor(listener: StreamListener): EventListener<WatchMessage> {
  let writtenAfterMs = Number.NEGATIVE_INFINITY
  return {
    event: (message, { arrivedAtMs, askedAtMs }) => {
      if (message.name === 'unknown') return
      if (message.name === 'end') {
        if (message.data.reason === 'session') listener.sessionEnded()
        return
      }
      // No event is older than the answer that it is a part of, nor than the event before it.
      writtenAfterMs = hearServer(message.data.now, Math.max(writtenAfterMs, askedAtMs), arrivedAtMs)
      sharedAnswers.note(saysSilent(message))
      listener.news({ ...message, atMs: writtenAfterMs })
    },
    silence: (silence) => listener.silence(silence),
    broken: (error, final) => listener.broken(error, final),
  }
}
