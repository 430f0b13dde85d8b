/**
 * Answers that were made and that their senders have not read, streams included. A sender that asks again and again and reads nothing would
 * fill the memory of this process: each answer waits here once the system's buffers are full.
 *
 * Guarantees: the answers of the API that wait hold `unreadMaxBytes` at most, beside the one that was made last. Above it,
 * the connection whose answer has waited longest is closed: one that reads is hardly ever that one.
 */
import type { ServerResponse } from 'node:http'

/** Hundreds of the longest answers; a fifth of what a console holds in memory otherwise. */
const unreadMaxBytes = 64 * 1024 * 1024

export class UnreadAnswers {
  /** Bytes by the answer that waits, the oldest first. */
  readonly #waiting = new Map<ServerResponse, number>()
  #bytes = 0
  /** Answers whose end has a listener already: a stream may wait many times. */
  readonly #heard = new WeakSet<ServerResponse>()

  /** To be called once the answer was written. */
  add(response: ServerResponse, text: string | Uint8Array): void {
    // The system has accepted the bytes.
    if (response.destroyed || response.socket?.writableLength === 0) return
    const bytes = Buffer.byteLength(text)
    this.#waiting.set(response, (this.#waiting.get(response) ?? 0) + bytes)
    this.#bytes += bytes
    // The answer was sent, or its connection has ended.
    if (!this.#heard.has(response)) response.once('close', () => this.#remove(response))
    this.#heard.add(response)
    while (this.#bytes > unreadMaxBytes) {
      const [oldest] = this.#waiting.keys()
      if (oldest === undefined || oldest === response) return
      this.#remove(oldest)
      oldest.req.socket.destroy()
    }
  }

  /** What was written of a stream so far was read. */
  drained(response: ServerResponse): void {
    this.#remove(response)
  }

  #remove(response: ServerResponse): void {
    this.#bytes -= this.#waiting.get(response) ?? 0
    this.#waiting.delete(response)
  }
}
