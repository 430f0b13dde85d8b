import { stripVTControlCharacters } from 'node:util'
import { seconds } from '../terminal/steps.mjs'

const LINK = /^sign-in link: (\S+)/

/** The one-time link, if the server prints it on this line. @param {string} line @returns {string | null} */
export const signInLinkIn = (line) => LINK.exec(line)?.[1] ?? null

const PASSWORD_SIGN_IN = 'Sign in as admin with LEASEHOLD_ADMIN_PASSWORD.'

/** Whether the server says on this line that it made the first user with the password of the environment. @param {string} line */
export const isPasswordSignIn = (line) => line === PASSWORD_SIGN_IN

const DEMO = /^demo: (\S+)/

/** The page of the run that waits for its first viewer, likewise. @param {string} line @returns {string | null} */
export const demoLinkIn = (line) => DEMO.exec(line)?.[1] ?? null

/** How long a message of the log is not printed again: in an outage each page that is open makes one a second. */
const REPEAT_MS = 60_000

/**
 * What the terminal shows of the lines that the server prints. Next's own banner is left out: `readyText` has the
 * address. The whole log is in a file; its warnings and errors alone are shown, each as a sentence, the same one once a
 * minute.
 *
 * @param {() => number} nowMs monotonic
 * @returns {(line: string) => string | null} null: nothing
 */
export function terminalLines(nowMs) {
  /** @type {Map<string, number>} */
  const shownAtMs = new Map()
  return (line) => {
    const text = stripVTControlCharacters(line).trim()
    const logged = readLogged(text)
    if (logged === null)
      return text === '' || /^(▲|✓|- (Local|Network|Environments|Experiments)|>)/.test(text) ? null : line
    if (logged.level < 40) return null
    const shown = loggedText(logged)
    const beforeMs = shownAtMs.get(shown)
    if (beforeMs !== undefined && nowMs() - beforeMs < REPEAT_MS) return null
    // Messages with texts of their own cannot make it grow for ever.
    if (shownAtMs.size >= 100) shownAtMs.clear()
    shownAtMs.set(shown, nowMs())
    return `${String(logged.time).slice(11, 19)} UTC  ${shown}`
  }
}

/** A line of the log; null: it is none. @param {string} text */
function readLogged(text) {
  if (!text.startsWith('{"level":')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** @param {{ level: number, msg?: string, method?: string, route?: string | null, status?: number, error?: { message?: string } }} logged */
function loggedText({ level, msg, method, route, status, error }) {
  const word = level >= 50 ? 'error' : 'warning'
  const what =
    status === undefined ? msg : `${method} ${route ?? 'a path without a route'} answered ${status}`
  const why = error?.message?.split('\n')[0]
  return `${word}: ${what ?? 'see the log'}${why ? ` (${why})` : ''}`
}

/**
 * The text that is printed when everything runs.
 *
 * @param {{ publicUrl: string, keyspace: string, dataDir: string }} settings
 * @param {{
 *   link: string | null, hasPassword: boolean, contactPoint: string | null, log: string, tookMs: number,
 * }} facts `hasPassword`: the first user was made with the password of the environment
 */
export function readyText(
  { publicUrl, keyspace, dataDir },
  { link, hasPassword, contactPoint, log, tookMs },
) {
  const lines = ['', `Leasehold is ready, after ${seconds(tookMs)}.`, '', `  console     ${publicUrl}`]
  if (contactPoint)
    lines.push(`  Cassandra   ${contactPoint}, keyspace ${keyspace} (details: ${dataDir}/cassandra.json)`)
  lines.push(`  log         ${log}`)
  if (link)
    lines.push(
      '',
      'Open this link within an hour to set the password of "admin". It works once:',
      '',
      `sign-in link: ${link}`,
    )
  if (hasPassword) lines.push('', PASSWORD_SIGN_IN)
  const end = contactPoint
    ? 'Ctrl-C stops Leasehold.'
    : 'Ctrl-C stops the console; your Cassandra keeps running.'
  return [...lines, '', end, ''].join('\n')
}
