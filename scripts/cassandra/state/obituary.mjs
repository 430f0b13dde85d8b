import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Of the port for clients, in Netty's words and in Cassandra's, and of the port for other nodes. */
const PORT_TAKEN = /Address already in use|Port already in use|Failed to bind|is in use by another process/i

/**
 * The known ways in which a node ends, by what it writes. Each gives what happened and what to do.
 *
 * @type {readonly [RegExp, string][]}
 */
const CAUSES = [
  [
    /No space left on device|insufficient space|Insufficient disk space/i,
    'the disk is full: free some space, then start again',
  ],
  [
    /UnsupportedClassVersionError|Unsupported Java version|The Security Manager is deprecated and will be removed|UnsupportedOperationException: Setting a Security Manager/i,
    'this Java does not suit it: it needs Java 11 or 17',
  ],
  [PORT_TAKEN, 'another program took one of its ports: start again'],
  [
    /java\.lang\.OutOfMemoryError|Could not reserve enough space|Cannot allocate memory/i,
    'there is too little memory: it needs 1 GB',
  ],
  [
    /CommitLogReplayException|CorruptSSTableException/i,
    'its data is damaged: move the data directory away to begin with an empty one',
  ],
  [/Permission denied|AccessDeniedException/i, 'it may not write to its directory: change its permissions'],
]

/**
 * Why a node ended, in a sentence.
 *
 * @param {{ systemLog: string, output: string }} places
 * @param {number} logOffset where this run's part of the system log begins
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} exit
 */
export function whyItEnded(places, logOffset, { code, signal }) {
  const how = signal ? `by ${signal}` : `with exit code ${code}`
  return sentenceFor(saidSince(places, logOffset), how, places.systemLog)
}

/** Whether a start failed because another program had one of the ports. @param {{ startupLog: string }} places */
export const tookItsPort = ({ startupLog }) => PORT_TAKEN.test(textFrom(startupLog, 0))

/** The last thing that a node said, without time and place. @param {{ systemLog: string, output: string }} places @param {number} logOffset */
export function lastWords(places, logOffset) {
  const last = textFrom(places.systemLog, logOffset)
    .split('\n')
    .findLast((line) => LOG_LINE.test(line))
  return last?.replace(LOG_LINE, '').slice(0, LAST_WORDS_MAX) ?? null
}

/** Time, level, thread and class: config.mjs. */
const LOG_LINE = /^\d{4}-\d\d-\d\d [\d:,]+ +[A-Z]+ +\[[^\]]*\] [^:]+: /
const LAST_WORDS_MAX = 160

/** @param {{ systemLog: string, output: string }} places @param {number} logOffset */
const saidSince = (places, logOffset) =>
  `${textFrom(places.output, 0)}\n${textFrom(places.systemLog, logOffset)}`

/** @param {string} text @param {string} how @param {string} systemLog */
export function sentenceFor(text, how, systemLog) {
  const known = CAUSES.find(([pattern]) => pattern.test(text))
  if (known) return `Cassandra ended, because ${known[1]} (log: ${systemLog}).`
  const said = /encountered during startup: (.+)/.exec(text)?.[1]
  return said
    ? `Cassandra could not start: ${said} (log: ${systemLog}).`
    : `Cassandra ended ${how}: see ${systemLog}.`
}

const READ_AT_MOST = 2_000_000

/** The last part of a file, from `offset` at the earliest. @param {string} path @param {number} offset */
function textFrom(path, offset) {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      // Smaller than it was: the log was rolled meanwhile.
      const from = Math.max(size < offset ? 0 : offset, size - READ_AT_MOST)
      const buffer = Buffer.alloc(size - from)
      readSync(file, buffer, 0, buffer.length, from)
      return buffer.toString('utf8')
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}
