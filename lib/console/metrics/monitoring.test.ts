/** The alert rules and the dashboard name metrics, and labels of them, that there are; and each metric is documented. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Meter } from '@opentelemetry/api'
import { openTelemetry } from 'leasehold/opentelemetry'
import type { Metric } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { ConsoleMetrics } from './console-metrics.ts'
import { Durations } from './durations.ts'
import { WatchedLeases } from './watched-leases.ts'

const root = join(import.meta.dirname, '../../..')
const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8')
const text = (file: string) => readFileSync(join(root, 'docs/monitoring', file), 'utf8')

/** The expressions of a file of rules: `expr:` with the expression beside it, or indented below a `|`. */
const rulesIn = (yaml: string): string[] =>
  [...yaml.matchAll(/^( *)expr: (?:\|\n((?:\1 +.*\n)+)|(.*)\n)/gm)].map(
    ([, , block, line]) => block ?? line ?? '',
  )
const dashboard = JSON.parse(text('dashboard.json')) as {
  panels: { type: string; title: string; targets?: { expr: string }[] }[]
}

/** The labels of each metric that a scrape may have, by the names of its series. */
type Known = Map<string, ReadonlySet<string>>

function add(known: Known, name: string, type: string, labels: readonly string[]): void {
  // Labels of every series of a scrape.
  const all = new Set([...labels, 'job', 'instance'])
  if (type !== 'histogram') return void known.set(name, all)
  known.set(`${name}_bucket`, new Set([...all, 'le']))
  for (const part of ['sum', 'count']) known.set(`${name}_${part}`, all)
}

/** Every metric that a console may have: with a watch, and with names in `LEASEHOLD_METRICS_LEASES`. */
function ofConsole(): Known {
  const metrics = new ConsoleMetrics()
  metrics.audit.observe({ pending: [], alarms: [], followAgeMs: 0 })
  metrics.observeWaits({ openRequests: { waiting: 0 }, holders: { watched: 0 } })
  metrics.observeWatch({ counts: () => [], scans: () => [], viewers: 0 })
  const names = [{ table: { id: 'leases' }, name: 'x' }]
  new WatchedLeases(metrics.registry, names as never, {} as never)
  const known: Known = new Map([['up', new Set(['job', 'instance'])]])
  for (const metric of metrics.registry.getMetricsAsArray() as unknown as (Metric & {
    name: string
    labelNames: string[]
    buckets?: unknown
  })[])
    add(
      known,
      metric.name,
      'upperBounds' in metric || metric instanceof Durations ? 'histogram' : 'other',
      metric.labelNames,
    )
  return known
}

/** By the rules of OpenTelemetry's exporter for Prometheus. */
function ofLibrary(): Known {
  const known: Known = new Map()
  const labels = ['operation', 'kind', 'level', 'outcome', 'resolution', 'reason', 'leasehold_group']
  const made = (type: string) => (name: string, options?: { unit?: string }) => {
    const unit = options?.unit === 's' ? '_seconds' : ''
    const total = type === 'counter' ? '_total' : ''
    add(known, `${name.replaceAll('.', '_')}${unit}${total}`, type, labels)
    return { addCallback: () => {} }
  }
  openTelemetry({
    meter: {
      createHistogram: made('histogram'),
      createCounter: made('counter'),
      createUpDownCounter: made('gauge'),
      createObservableGauge: made('gauge'),
    } as unknown as Meter,
  })
  return known
}

/** What is wrong with an expression of PromQL: its metrics, and the labels that it selects and groups by. */
function wrongIn(expression: string, known: Known): string[] {
  // Values of labels, durations and variables of Grafana are neither.
  const bare = expression.replace(/"[^"]*"/g, '""').replace(/\[[^\]]*\]/g, '')
  const used = [...bare.matchAll(/\b((?:leasehold|nodejs|process)_\w+|up\b)(?:\{([^}]*)\})?/g)].filter(
    ([, name]) => name !== 'leasehold_group',
  )
  const wrong = used.flatMap(([, name = '', selected = '']) => {
    const labels = known.get(name)
    if (labels === undefined) return [`no metric is called ${name}`]
    const asked = [...selected.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, each]) => each as string)
    return asked.filter((each) => !labels.has(each)).map((each) => `${name} has no label ${each}`)
  })
  const grouped = [...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/\s*,\s*/))
  const some = new Set(used.flatMap(([, name = '']) => [...(known.get(name) ?? [])]))
  wrong.push(...grouped.filter((each) => !some.has(each)).map((each) => `by ${each}, which no metric has`))
  return used.length === 0 ? ['it names no metric'] : wrong
}

/** Without those of Node and of the process, by the names that the console registers. */
const ownNames = [...ofConsole().keys()]
  .filter((name) => name.startsWith('leasehold_') && !/_(bucket|sum)$/.test(name))
  .map((name) => name.replace(/_count$/, ''))
const alertsIn = (yaml: string): string[] =>
  [...yaml.matchAll(/- alert: (\w+)/g)].map(([, name]) => name as string)

describe('every name in the monitoring', () => {
  it.each([
    ['alerts.yml', ofConsole, 10],
    ['alerts-of-programs.yml', ofLibrary, 5],
  ])('%s', (file, known, least) => {
    const rules = rulesIn(text(file))
    expect(rules.length).toBeGreaterThanOrEqual(least)
    expect(rules).toHaveLength(text(file).match(/- alert:/g)?.length as number)
    expect(rules.flatMap((rule) => wrongIn(rule, known()))).toEqual([])
  })

  it('dashboard.json', () => {
    const panels = dashboard.panels.filter(({ type }) => type !== 'row')
    expect(panels.length).toBeGreaterThan(10)
    const known = ofConsole()
    for (const { title, targets = [] } of panels) {
      expect(targets.length, title).toBeGreaterThan(0)
      expect(
        targets.flatMap(({ expr }) => wrongIn(expr, known)),
        title,
      ).toEqual([])
    }
  })

  it('shows each metric of the console’s own in a panel or in an alert', () => {
    const used = `${text('alerts.yml')}${JSON.stringify(dashboard)}`
    expect(ownNames.filter((name) => !used.includes(name))).toEqual([])
  })

  it.each(ownNames)('%s is documented, with its labels', (name) => {
    const row = operations
      .split('\n')
      .find((line) => line.startsWith('| `leasehold_') && line.includes(`\`${name}\``))
    expect(row, `docs/operations.md has no row for ${name} in the table of metrics`).toBeDefined()
    const labels = [...(ofConsole().get(name) ?? ofConsole().get(`${name}_count`) ?? [])]
    for (const label of labels.filter((each) => each !== 'job' && each !== 'instance'))
      expect(row?.split(' | ')[1]).toContain(`\`${label}\``)
  })

  it.each(alertsIn(text('alerts.yml')))('%s: the documentation says what to do', (alert) => {
    expect(operations).toMatch(new RegExp(`^\\|.*\`${alert}\`.*\\|.{20,}\\|$`, 'm'))
  })

  it('finds a name, a label and a group that there is not', () => {
    const known = ofConsole()
    expect(wrongIn('sum by (planet) (leasehold_none{instance=~"$instance"})', known)).toEqual([
      'no metric is called leasehold_none',
      'by planet, which no metric has',
    ])
    expect(wrongIn('leasehold_audit_alarms{mode="kill"} > 0', known)).toEqual([
      'leasehold_audit_alarms has no label mode',
    ])
    expect(wrongIn('vector(1)', known)).toEqual(['it names no metric'])
  })
})
