/** For tests alone: a reader of `GET /v1/watch`. */
import { type WatchEvent, type WatchEventName, watchEvents } from '../../contract/leases/watch.ts'
import { serve } from '../http/router.ts'
import type { ConsoleContext } from '../start/context.ts'
import { testOrigin } from '../test/test-console.ts'

export type SomeEvent = {
  [N in WatchEventName]: { event: N; id: string | null; data: WatchEvent<N>; atMs: number }
}[WatchEventName]

/** The events in a text, each as the contract says. @throws on any other */
export function eventsIn(text: string): SomeEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const fields = new Map(
        block
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      )
      const event = fields.get('event') as WatchEventName
      const data = watchEvents[event].strict().parse(JSON.parse(fields.get('data') ?? ''))
      return { event, id: fields.get('id') ?? null, data, atMs: performance.now() } as SomeEvent
    })
}

export class TestStream {
  readonly response: Response
  readonly events: SomeEvent[] = []
  /** The stream has ended. */
  readonly done: Promise<void>
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  constructor(response: Response) {
    this.response = response
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader()
    this.done = this.#read()
  }

  static async open(
    context: ConsoleContext,
    query: Record<string, string>,
    headers: Record<string, string>,
  ): Promise<TestStream> {
    const url = `${testOrigin}/v1/watch?${new URLSearchParams(query)}`
    for (let tries = 1; ; tries++) {
      const response = await serve(new Request(url, { headers }), context)
      if (response.status === 200) return new TestStream(response)
      const problem = await response.text()
      // The node of a busy machine: a browser asks again, too.
      if (response.status !== 503 || tries === 20) throw new Error(problem)
    }
  }

  /** The names in the window, by all that was said so far. */
  get names(): string[] {
    let names: string[] = []
    for (const { event, data } of this.events) {
      if (event === 'snapshot') names = data.rows.map(({ name }) => name)
      if (event === 'changes') names = data.names ?? names
    }
    return names
  }

  async close(): Promise<void> {
    await this.#reader.cancel()
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const end = text.lastIndexOf('\n\n')
      if (end === -1) continue
      this.events.push(...eventsIn(text.slice(0, end + 2)))
      text = text.slice(end + 2)
    }
  }
}
