/** Server-sent events, read out of the pieces in which they arrive (WHATWG HTML, section 9.2.6). */

export interface SentEvent {
  name: string
  /** The id last sent; empty: none yet. */
  id: string
  data: string
}

const lineEnd = /\r\n|\n|\r/g

/**
 * @param id the last of the connection before, if this one goes on after it
 * @returns takes the next piece of the text, and calls `take` for each event that is whole by then
 * @example
 * const read = sentEvents((event) => console.log(event.name, event.data))
 * read('event: heartbeat\nda')
 * read('ta: {}\n\n')
 */
export function sentEvents(take: (event: SentEvent) => void, id = ''): (piece: string) => void {
  /** The line that has not ended yet, in pieces: a line of 20 MB comes in hundreds of them, and is put together once. */
  let begun: string[] = []
  let isAfterReturn = false
  let lastId = id
  let name = ''
  let data: string[] = []

  const line = (text: string) => {
    if (text === '') {
      if (data.length > 0) take({ name: name || 'message', id: lastId, data: data.join('\n') })
      name = ''
      data = []
      return
    }
    const colon = text.indexOf(':')
    // A comment, which a server sends to keep the connection open.
    if (colon === 0) return
    const field = colon === -1 ? text : text.slice(0, colon)
    const value = colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) lastId = value
  }

  return (piece) => {
    if (piece === '') return
    // The line ended with the piece before: CR LF is one end of a line, wherever the network cuts.
    const text = isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    isAfterReturn = piece.endsWith('\r')
    let from = 0
    for (const end of text.matchAll(lineEnd)) {
      begun.push(text.slice(from, end.index))
      const whole = begun.join('')
      begun = []
      from = end.index + end[0].length
      line(whole)
    }
    if (from < text.length) begun.push(text.slice(from))
  }
}
