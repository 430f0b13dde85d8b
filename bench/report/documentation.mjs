/**
 * docs/performance.json has the last result of each benchmark that was run with `--docs`; docs/performance.md and a table of
 * docs/comparison.md are written from it, and never by hand: a test compares them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asMarkdown } from './table.mjs'

/**
 * @typedef {{ facts: import('./machine.mjs').Facts, command: string, title: string, table: import('../measure.mjs').Table,
 *   notes: string[], claim: string, holds: boolean, isQuick: boolean }} Kept isQuick: of a short run
 */

const data = 'docs/performance.json'
const page = 'docs/performance.md'
const comparison = 'docs/comparison.md'

/** @param {string} root @param {Record<string, Kept>} results by the name of their benchmark; others stay as they are */
export function keepInDocs(root, results) {
  const before = existsSync(join(root, data)) ? JSON.parse(readFileSync(join(root, data), 'utf8')) : {}
  const all = { ...before, ...results }
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => a.localeCompare(b)))
  writeFileSync(join(root, data), `${JSON.stringify(sorted, null, 2)}\n`)
  writeFileSync(join(root, page), performancePage(sorted))
  const compared = readFileSync(join(root, comparison), 'utf8')
  writeFileSync(join(root, comparison), withPeers(compared, sorted))
}

/** The page with the table of the peers in its place. @param {string} text @param {Record<string, Kept>} results */
export function withPeers(text, { peers }) {
  if (peers === undefined) return text
  const { date, load } = peers.facts
  const words = [
    '<!-- Written by `npm run bench -- peers --docs`. Do not edit. -->',
    ...(peers.isQuick ? [`${shortRun}\n`] : []),
    `${asMarkdown(peers.table)}\n`,
    `${peers.title}. Measured on ${date} UTC${busyNote(load)}. Versions and machine: [performance.md](performance.md).`,
  ]
  return text.replace(/<!-- peers -->[\s\S]*<!-- \/peers -->/, () =>
    ['<!-- peers -->', ...words, '<!-- /peers -->'].join('\n'),
  )
}

/** @param {Record<string, Kept>} results @returns the whole page */
export function performancePage(results) {
  const sections = Object.entries(results).map(([name, kept]) => section(name, kept))
  return [
    '# Performance',
    '<!-- Written by `npm run bench -- NAME --docs` from performance.json. Do not edit. -->',
    'Each table is of one run, on the machine that it names. Compare within a table: absolute figures of another machine differ. How each',
    'figure is measured stands at the beginning of its file in `bench/`. `npm run bench -- --help` lists all benchmarks.\n',
    ...sections,
  ].join('\n')
}

/** @param {string} name @param {Kept} kept */
function section(name, { facts, command, title, table, notes, claim, holds, isQuick }) {
  const { date, machine, load, versions, commit } = facts
  const named = Object.entries(versions).map(([what, version]) => `${what} ${version}`)
  return [
    `## ${name}: ${title}\n`,
    ...(isQuick ? [`${shortRun}\n`] : []),
    `${asMarkdown(table)}\n`,
    ...notes.map((note) => `- ${note}`),
    `- Claim: ${claim}: ${holds ? '**holds**' : '**does not hold**'}`,
    `- Measured on ${date} UTC: ${machine}; ${named.join(', ')}; commit ${commit}`,
    `- Load averages before the run (1, 5, 15 minutes): ${load.map((it) => it.toFixed(2)).join(', ')}${busyNote(load)}`,
    `- To repeat it: \`${command}\`\n`,
  ].join('\n')
}

const shortRun = '**A short run (`--quick`), with few rounds: for the order of magnitude alone.**'

/** A machine that does nothing else has a load near 0. */
const busyAbove = 0.3

/** @param {number[]} load */
const busyNote = ([lastMinute = 0, lastFive = 0]) =>
  Math.max(lastMinute, lastFive) > busyAbove
    ? '. **Other programs were running on this machine: the figures are worse than those of an idle one**'
    : ''
