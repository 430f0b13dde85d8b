import type { Histogram, Registry } from 'prom-client'

/** Upper bounds of buckets, in seconds. A statement takes a millisecond or a few; a write's answer is awaited for 20 s. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

interface Series {
  /** By bucket, not summed up; the last one is above all bounds. */
  readonly counts: number[]
  sum: number
}

/**
 * A histogram of durations with two labels, in a registry of prom-client. Its own because `observe` of prom-client sorts and joins
 * the labels each time, which the busiest requests would pay four times over: here a duration costs two look-ups.
 */
export class Durations {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly [string, string]
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly #series = new Map<string, Map<string, Series>>()

  constructor(
    registry: Registry,
    { name, help, labelNames }: { name: string; help: string; labelNames: readonly [string, string] },
  ) {
    this.name = name
    this.help = help
    this.labelNames = labelNames
    registry.registerMetric(this as unknown as Histogram)
  }

  observe(first: string, second: string, ms: number): void {
    const series = this.#series.get(first)?.get(second) ?? this.#begin(first, second)
    const seconds = ms / 1000
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++
    series.counts[bucket] = (series.counts[bucket] as number) + 1
    series.sum += seconds
  }

  #begin(first: string, second: string): Series {
    const ofFirst = this.#series.get(first) ?? new Map<string, Series>()
    const series: Series = { counts: Array(bounds.length + 1).fill(0), sum: 0 }
    this.#series.set(first, ofFirst)
    ofFirst.set(second, series)
    return series
  }

  /** As prom-client's metrics answer their registry. */
  async get() {
    return { ...this.#about(), values: [...this.#values()] }
  }

  reset(): void {
    this.#series.clear()
  }

  #about() {
    const { name, help, type, aggregator } = this
    return { name, help, type, aggregator }
  }

  *#values() {
    const [firstName, secondName] = this.labelNames
    for (const [first, ofFirst] of this.#series)
      for (const [second, { counts, sum }] of ofFirst) {
        const labels = { [firstName]: first, [secondName]: second }
        let count = 0
        for (const [i, inBucket] of counts.entries()) {
          count += inBucket
          const le = bounds[i] ?? '+Inf'
          yield { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count }
        }
        yield { metricName: `${this.name}_sum`, labels, value: sum }
        yield { metricName: `${this.name}_count`, labels, value: count }
      }
  }
}
