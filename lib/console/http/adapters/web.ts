import type { Answer, AnswerStream } from './api-request.ts'

/** For hosts that use the web's types: Next's route handlers, tests. */
export function toResponse({ status, headers, cookies = [], text, stream }: Answer): Response {
  const response = new Response(stream === undefined ? text : bodyOf(stream), { status, headers })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Bytes that may wait for the reader, beside one text: about as many as in front of a socket. */
const waitingMaxBytes = 16 * 1024

function bodyOf(stream: AnswerStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isOpen = false
  let isEnded = false
  const close = () => {
    if (isEnded) return
    isEnded = true
    stream.closed()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream.open({
          write: (text) => {
            if (isEnded) return false
            controller.enqueue(encoder.encode(text))
            return (controller.desiredSize ?? 0) > 0
          },
          end: () => {
            if (isEnded) return
            controller.close()
            close()
          },
        })
        isOpen = true
      },
      pull() {
        if (isOpen && !isEnded) stream.drained()
      },
      cancel: close,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: waitingMaxBytes }),
  )
}
