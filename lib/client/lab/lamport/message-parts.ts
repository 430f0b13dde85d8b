/** One message to Cassandra and its answer, as parts of an SVG. */
import type { Message } from './messages.ts'
import { element, textElement } from './svg-text.ts'

interface Place {
  /** x of the sender’s line, and of Cassandra’s. */
  readonly from: number
  readonly to: number
  readonly endY: number
}

/** From a row’s line to the middle between it and the one before: the statement arrives before its answer is noted. */
const arrivesBefore = 6
const headLength = 5
/** Where on its way a message is lost. */
const lostAt = 0.55

export function messageParts(message: Message, { from, to, endY }: Place): string[] {
  const { purpose, said, sentY, letGoY, answeredY, outcome } = message
  const side = to >= from ? 1 : -1
  const startY = letGoY ?? sentY
  const parts: string[] = []
  if (letGoY !== null)
    parts.push(
      element('line', {
        class: 'arrow answer',
        x1: from + 8 * side,
        y1: sentY,
        x2: from + 8 * side,
        y2: letGoY,
      }),
      textElement(
        'text',
        { class: 'note', x: from + 12 * side, y: sentY + 4, 'text-anchor': anchor(side) },
        'held back',
      ),
    )
  if (answeredY === null) parts.push(...lostArrow(from, startY, to, Math.min(endY, startY + 8), ''))
  else {
    const arrivedY = Math.max(startY + 2, answeredY - arrivesBefore)
    parts.push(
      arrow(from, startY, to, arrivedY, ''),
      ...answerParts(message, { from, to, arrivedY }),
      outcomeMark(outcome, to, arrivedY),
    )
  }
  parts.push(
    textElement(
      'text',
      { class: 'note', x: from + 10 * side, y: startY - 2, 'text-anchor': anchor(side) },
      purpose,
    ),
  )
  return [`<g>${textElement('title', {}, titleOf(message, said))}${parts.join('')}</g>`]
}

function answerParts(
  { answeredY, deliveredY, delivered }: Message,
  { from, to, arrivedY }: { from: number; to: number; arrivedY: number },
): string[] {
  const isLost = delivered === 'unknown' || delivered === 'unavailable'
  if (isLost) return lostArrow(to, arrivedY, from, (answeredY ?? arrivedY) + 4, ' answer')
  return [arrow(to, arrivedY, from, deliveredY ?? (answeredY ?? arrivedY) + 4, ' answer')]
}

function arrow(x1: number, y1: number, x2: number, y2: number, look: string): string {
  const angle = Math.atan2(y2 - y1, x2 - x1)
  const head = [0.45, -0.45]
    .map(
      (turn) =>
        `${round(x2 - headLength * Math.cos(angle + turn))} ${round(y2 - headLength * Math.sin(angle + turn))}`,
    )
    .join(` L${round(x2)} ${round(y2)} L`)
  return (
    element('line', { class: `arrow${look}`, x1, y1, x2, y2 }) +
    element('path', { class: 'arrow', d: `M${head}` })
  )
}

/** It ends on its way, with a cross. */
function lostArrow(x1: number, y1: number, x2: number, y2: number, look: string): string[] {
  const [x, y] = [x1 + (x2 - x1) * lostAt, y1 + (y2 - y1) * lostAt]
  const cross = `M${round(x - 4)} ${round(y - 4)} l8 8 m0 -8 l-8 8`
  return [
    element('line', { class: `arrow${look}`, x1, y1, x2: x, y2: y }),
    element('path', { class: 'gone', d: cross }),
  ]
}

/** At Cassandra’s line: applied is full, not applied is empty. */
function outcomeMark(outcome: Message['outcome'], x: number, y: number): string {
  if (outcome === 'applied') return element('circle', { class: 'applied', cx: x, cy: y, r: 4 })
  if (outcome === 'unknown') return textElement('text', { class: 'unknown', x, y: y + 4 }, '?')
  return element('circle', { class: 'refused', cx: x, cy: y, r: 3.5 })
}

function titleOf({ by, purpose, outcome, found, delivered }: Message, said: string): string {
  const answer = outcome === null ? 'no answer' : outcome.replace('-', ' ')
  const holder = found === null ? '' : `: ${found}`
  const got = delivered === null || delivered === 'answer' ? '' : `; ${by} got no answer`
  return `${by}, ${purpose}: ${answer}${holder}${got}\n${said}`
}

const anchor = (side: number): string => (side > 0 ? 'start' : 'end')
const round = (value: number): number => Math.round(value * 10) / 10
