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

/**
 * Whether a line that the server prints is for the terminal. Next's own banner is not: `readyText` has the address. The
 * whole log is in a file; only its warnings and errors are for the terminal.
 *
 * @param {string} line
 */
export function worthRelaying(line) {
  const text = stripVTControlCharacters(line).trim()
  const level = /^\{"level":(\d+)/.exec(text)?.[1]
  if (level !== undefined) return Number(level) >= 40
  return text !== '' && !/^(▲|✓|- (Local|Network|Environments|Experiments)|>)/.test(text)
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
