/** What the API reads of a request. The web's `Request` fits; `node-request.ts` has one that costs a tenth of it. */
export interface ApiRequest {
  readonly method: string
  /** Absolute. Only its path and its query count: a host is whatever the sender wrote. */
  readonly url: string
  readonly headers: ApiHeaders
  /** null: none was sent. */
  readonly body: { getReader(): BodyReader } | null
  /** Aborted when the connection ends before the answer does. */
  readonly signal: AbortSignal
  /** The address of the socket. Left out by hosts that do not know it, such as Next's route handlers. */
  readonly socketAddress?: string | undefined
}

export interface ApiHeaders {
  /** @param name in lower case */
  get(name: string): string | null
}

export interface BodyReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
  /** Stops reading. */
  cancel(): Promise<void>
}

/** What the API answers; an adapter writes it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `Set-Cookie`, one each. */
  readonly cookies?: readonly string[] | undefined
  /** In UTF-8, or to be encoded so; null: none. */
  readonly text: string | Uint8Array<ArrayBuffer> | null
  /** Text that comes over time, instead of `text`. */
  readonly stream?: AnswerStream | undefined
}

/** The source of an answer that comes over time. An adapter calls it. */
export interface AnswerStream {
  /** Begins. Not called where the reader has gone before, and for HEAD. */
  open(sink: StreamSink): void
  /** The connection takes more again, after a `write` that returned false. */
  drained(): void
  /** The connection has ended. Called once, whatever happened before. */
  closed(): void
}

/** Where a stream writes to. */
export interface StreamSink {
  /** @returns false: the connection is full. What is written before `drained` waits in the memory of this process. */
  write(text: string): boolean
  end(): void
}
