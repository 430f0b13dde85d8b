/**
 * A run as a Lamport diagram: a line a candidate and one for Cassandra, time downwards, each message an arrow with its
 * outcome. An SVG of its own, from the journal alone: the same journal gives the same bytes, however it came.
 */
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import type { Lane, LanesPicture, Span } from '../lanes/lanes.ts'
import { LanesBuilder } from '../lanes/lanes-builder.ts'
import { messageParts } from './message-parts.ts'
import { MessageRows, topY } from './messages.ts'
import { attributes, element, textElement } from './svg-text.ts'

const cassandra = 'cassandra'
const columnWidth = 120
const axisWidth = 64
const headY = 40
const bottomSpace = 40
/** For the words beside the last line. */
const rightSpace = 64
const noteHeight = 13

/** The marks read on white and on black; lines and words take the colour of the text around. */
const style = `
:root.lamport { color-scheme: light dark; color: CanvasText; background: Canvas }
.lamport { font: 11px ui-sans-serif, system-ui, sans-serif; fill: currentColor }
.lamport .life { stroke: currentColor; stroke-opacity: .35 }
.lamport .head { font-weight: 600; font-size: 13px; text-anchor: middle }
.lamport .axis { fill-opacity: .7; text-anchor: end }
.lamport .note { fill-opacity: .8 }
.lamport .leads { fill: #14958c; fill-opacity: .85 }
.lamport .believes { fill: none; stroke: #14958c; stroke-width: 1.5 }
.lamport .wrongly { fill: #d9432f; fill-opacity: .2; stroke: #d9432f; stroke-width: 1.5 }
.lamport .stopped { stroke: currentColor; stroke-opacity: .5; stroke-width: 8; stroke-dasharray: 1.5 3 }
.lamport .arrow { stroke: currentColor; stroke-opacity: .75; fill: none }
.lamport .answer { stroke-dasharray: 4 3 }
.lamport .applied { fill: #14958c }
.lamport .refused { fill: none; stroke: currentColor; stroke-width: 1.5 }
.lamport .unknown { fill: #c97a06; font-weight: 600; text-anchor: middle }
.lamport .gone { stroke: #d9432f; stroke-width: 1.5 }
`

export class LamportDiagram {
  readonly #rows = new MessageRows()
  readonly #lanes: LanesBuilder

  constructor({ ttlSeconds }: { ttlSeconds: number }) {
    this.#lanes = new LanesBuilder({ ttlSeconds })
  }

  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (entry.seq < this.#lanes.nextSeq) continue
      this.#lanes.add([entry])
      this.#rows.add(entry)
    }
  }

  /** @param title what the diagram is of: its accessible name */
  svg(title: string): string {
    const picture = this.#lanes.live(this.#lanes.lastMs)
    const ids = columnsOf(picture, this.#rows)
    const x = new Map(ids.map((id, i) => [id, axisWidth + columnWidth * (i + 0.5)]))
    const width = axisWidth + columnWidth * Math.max(1, ids.length) + rightSpace
    const endY = this.#rows.lastY + 12
    const height = Math.round(endY + bottomSpace)
    const xOf = (id: string) => x.get(id) ?? 0
    const parts = [
      textElement('title', {}, title),
      element('style', {}, style),
      ...this.#rows
        .seconds()
        .map(({ second, y }) =>
          textElement('text', { class: 'axis', x: axisWidth - 12, y: y + 4 }, `${second} s`),
        ),
      ...ids.flatMap((id) => [
        element('line', { class: 'life', x1: xOf(id), y1: topY - 12, x2: xOf(id), y2: endY }),
        textElement('text', { class: 'head', x: xOf(id), y: headY }, id === cassandra ? 'Cassandra' : id),
      ]),
      ...picture.lanes.flatMap((lane) => this.#lane(lane, xOf(lane.id), xOf(cassandra))),
      ...this.#rows.messages.flatMap((message) =>
        messageParts(message, { from: xOf(message.by), to: xOf(cassandra), endY }),
      ),
      this.#leftOut(height),
    ]
    const size = { width, height, viewBox: `0 0 ${width} ${height}` }
    return `<svg${attributes({ xmlns: 'http://www.w3.org/2000/svg', class: 'lamport', role: 'img', ...size })}>\n${parts.filter((part) => part !== '').join('\n')}\n</svg>\n`
  }

  #lane({ stops, leads, believes, marks }: Lane, x: number, cassandraX: number): string[] {
    const bar = (look: string, span: Span, halfWidth: number) => {
      const [y, endY] = this.#place(span)
      return element('rect', {
        class: look,
        x: x - halfWidth,
        y,
        width: 2 * halfWidth,
        height: Math.max(1, endY - y),
      })
    }
    // On the side away from the messages, one below the other.
    const side = x < cassandraX ? -1 : 1
    let lastY = 0
    const words = marks
      .filter(({ kind }) => kind !== 'joined' && kind !== 'left' && kind !== 'refused-renewal')
      .map(({ atMs, text }) => {
        lastY = Math.max(this.#rows.yOf(atMs) + 4, lastY + noteHeight)
        const place = { x: x + 12 * side, y: lastY, 'text-anchor': side > 0 ? 'start' : 'end' }
        return textElement('text', { class: 'note', ...place }, text)
      })
    return [
      ...stops.map((stop) => {
        const [y1, y2] = this.#place(stop)
        return element('line', { class: 'stopped', x1: x, y1, x2: x, y2 })
      }),
      ...leads.map((band) => bar('leads', band, 3)),
      ...believes.map((frame) => bar('believes', frame, 6)),
      ...believes.flatMap(({ wrongly }) => (wrongly === null ? [] : [bar('wrongly', wrongly, 6)])),
      ...words,
    ]
  }

  #place({ fromMs, toMs }: Span): [number, number] {
    return [this.#rows.yOf(fromMs), toMs === null ? this.#rows.lastY + 12 : this.#rows.yOf(toMs)]
  }

  #leftOut(height: number): string {
    const { leftOut } = this.#rows
    if (leftOut === 0) return ''
    const text = `${leftOut} more messages are in the journal, and not drawn here.`
    return textElement('text', { class: 'note', x: axisWidth, y: height - 14 }, text)
  }
}

/** Cassandra stands in the middle, so that arrows are short. The lab has a line when it forces a release. */
function columnsOf({ lanes }: LanesPicture, { messages }: MessageRows): string[] {
  const ids = lanes.map(({ id }) => id)
  if (messages.some(({ by }) => by === 'lab')) ids.push('lab')
  ids.splice(Math.ceil(ids.length / 2), 0, cassandra)
  return ids
}
