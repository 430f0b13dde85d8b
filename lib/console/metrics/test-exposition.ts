/** For tests alone: a strict parser of Prometheus's text format, version 0.0.4. */

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Family {
  type: string
  help: string
  samples: Sample[]
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

/** @throws Error on whatever a scraper would refuse, and on histograms that do not add up */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (kind === 'HELP') {
      if (!metricName.test(name) || families.has(name)) throw new Error(`HELP twice, or of no name: ${line}`)
      families.set(name, { type: 'untyped', help: rest, samples: [] })
    } else if (kind === 'TYPE') {
      const family = families.get(name)
      if (family === undefined || family.samples.length > 0) throw new Error(`TYPE out of place: ${line}`)
      family.type = rest
    } else {
      const sample = parseSample(line)
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (seen.has(key)) throw new Error(`A series twice: ${line}`)
      seen.add(key)
      familyOf(families, sample.name).samples.push(sample)
    }
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family)
  return families
}

function parseSample(line: string): Sample {
  const [, name, inside = '', number] = sampleLine.exec(line) ?? []
  if (name === undefined) throw new Error(`No sample: ${line}`)
  const labels: Record<string, string> = {}
  label.lastIndex = 0
  while (label.lastIndex < inside.length) {
    const found = label.exec(inside)
    if (found === null) throw new Error(`No labels: ${line}`)
    labels[found[1] as string] = (found[2] as string).replace(/\\(.)/g, (_, each) =>
      each === 'n' ? '\n' : each,
    )
  }
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number)
  if (Number.isNaN(value) && number !== 'NaN' && number !== 'Nan') throw new Error(`No number: ${line}`)
  return { name, labels, value }
}

function familyOf(families: Map<string, Family>, name: string): Family {
  const base = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''))
  if (base === undefined) throw new Error(`A sample without HELP and TYPE: ${name}`)
  return base
}

/** Buckets grow, and the last one is the count. */
function checkHistogram(name: string, { samples }: Family): void {
  const series = new Map<string, { buckets: Sample[]; count?: number }>()
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels
    const key = JSON.stringify(Object.entries(labels).sort())
    const one = series.get(key) ?? { buckets: [] }
    series.set(key, one)
    if (sample.name === `${name}_bucket`) one.buckets.push(sample)
    if (sample.name === `${name}_count`) one.count = sample.value
  }
  for (const { buckets, count } of series.values()) {
    const values = buckets.map(({ value }) => value)
    const grows = values.every((value, i) => i === 0 || value >= (values[i - 1] as number))
    if (!grows || buckets.at(-1)?.labels.le !== '+Inf' || values.at(-1) !== count)
      throw new Error(`The buckets of ${name} do not add up.`)
  }
}

/** The value of one series; undefined: it is not there. */
export const sampleOf = (
  families: Map<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined =>
  familyOf(families, name).samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )?.value
