import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

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
  [
    /Address already in use|Port already in use|Failed to bind port/i,
    'another program took one of its ports: start again',
  ],
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
  const text = `${textFrom(places.output, 0)}\n${textFrom(places.systemLog, logOffset)}`
  const how = signal ? `by ${signal}` : `with exit code ${code}`
  return sentenceFor(text, how, places.systemLog)
}

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
