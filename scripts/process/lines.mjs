import { StringDecoder } from 'node:string_decoder'

/** A line that is longer comes in pieces: a program that never ends its line must not fill our memory. */
const LONGEST = 1024 * 1024

/**
 * The lines of a stream, without their ends, each as soon as it is whole; what stands after the last end is a line too.
 *
 * @param {import('node:stream').Readable} stream
 * @param {(line: string) => void} onLine
 * @param {{ longest?: number }} [options] in characters
 * @returns {Promise<void>} when the stream has ended, or broken
 */
export async function eachLine(stream, onLine, { longest = LONGEST } = {}) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  /** @param {string} text */
  const take = (text) => {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = rest + text.slice(from, end)
      inPieces(line.endsWith('\r') ? line.slice(0, -1) : line)
      rest = ''
      from = end + 1
    }
    rest += text.slice(from)
    while (rest.length > longest) {
      onLine(rest.slice(0, longest))
      rest = rest.slice(longest)
    }
  }
  /** @param {string} line */
  const inPieces = (line) => {
    for (let at = 0; at === 0 || at < line.length; at += longest) onLine(line.slice(at, at + longest))
  }
  const chunks = stream[Symbol.asyncIterator]()
  // The next chunk is asked for when the lines of this one have been dealt with: more waits in the pipe.
  for (;;) {
    // A stream that breaks has ended: what it said so far counts.
    const { done, value } = await chunks.next().catch(() => ({ done: true, value: undefined }))
    if (done) break
    take(decoder.write(value))
  }
  take(decoder.end())
  if (rest !== '') onLine(rest)
}
