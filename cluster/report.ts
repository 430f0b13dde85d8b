/** A run in a table. */
import { grouped } from '../lib/leasehold/testing/laws/history.ts'
import { check } from './checker/check.ts'
import { gaps, longestSilence } from './checker/service-laws.ts'
import { type ClusterHistory, doorOf } from './history/cluster-history.ts'
import { readHistory } from './history/history-file.ts'

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const said = (gap: { door: string; afterMs: number } | undefined): string =>
  gap === undefined ? 'none' : `${seconds(gap.afterMs)} (${gap.door})`

/** Operations by kind, and by what came of them. */
function operationLines({ operations, counted }: ClusterHistory): { total: number; lines: string[] } {
  // A renewal that keep-alive made by itself is seen by its deadline alone, and is no operation of a client.
  const asked = operations.filter(({ kind, mark }) => kind !== 'loss' && !mark.startsWith('s'))
  const all = [
    ...asked.map(({ kind, client, report }) => ({ kind, client, outcome: report.kind as string })),
    ...counted,
  ]
  const lines = [...grouped(all, ({ kind }) => kind)].map(([kind, of]) => {
    const outcomes = [...grouped(of, ({ outcome }) => outcome)]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([outcome, { length }]) => `${outcome} ${length}`)
    const api = of.filter(({ client }) => doorOf(client).startsWith('api')).length
    return `  ${kind.padEnd(9)} ${String(of.length).padStart(6)}  ${String(api).padStart(6)}  ${outcomes.join(', ')}`
  })
  return { total: all.length, lines: ['  operation    all     API  outcomes', ...lines.toSorted()] }
}

function faultLines({ faults }: ClusterHistory): string[] {
  return [...grouped(faults, ({ kind }) => kind)]
    .map(
      ([kind, of]) =>
        `  ${kind.padEnd(9)} ${of.length} × ${of.map((it) => seconds(it.untilMs - it.fromMs)).join(', ')}`,
    )
    .toSorted()
}

/** @returns what stands below a run, and the laws that its history breaks */
export function reportOn(path: string): { text: string; broken: string[] } {
  const history = readHistory(path)
  const { run, sightings, unread, arrivals, operations, audit, releases } = history
  const { violations: wrong, undecided } = check(history)
  const { total, lines } = operationLines(history)
  const losses = operations.filter(({ kind }) => kind === 'loss')
  const longest = gaps(history).toSorted((a, b) => b.afterMs - a.afterMs)[0]
  const byLaw = [...grouped(wrong, ({ law }) => law)]
  const text = [
    `seed ${run.seed}, ${run.minutes} minutes, maxClockSkew ${seconds(run.maxClockSkewMs)}: ${total} operations`,
    ...lines,
    `  ${losses.length} leases that were kept alive were lost; ${releases.length} forced releases through a console, ${audit.length} entries in the audit`,
    `  ${arrivals.length} conditional writes reached a node; ${sightings.length} SERIAL reads observed them, ${unread.length} were not answered`,
    'faults',
    ...faultLines(history),
    `  longest gap in service after the quorum’s return: ${longest === undefined ? 'it was never lost' : said(longest)}`,
    `  longest silence of a door while there was a quorum: ${said(longestSilence(history))}`,
    `violations: ${wrong.length}${undecided.length === 0 ? '' : `; undecided: ${undecided.join(', ')}`}`,
    ...byLaw.map(([law, of]) => `  ${of.length} × ${law}; the first: ${of[0]?.evidence}`),
    `history: ${path}`,
  ].join('\n')
  return { text, broken: byLaw.map(([law]) => law) }
}
