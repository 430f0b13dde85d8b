import { Gauge, type Registry } from 'prom-client'

/** What a watch of all leases knows. A console without one has none of these metrics. */
export interface WatchState {
  /** How many leases are in each state, as last scanned. States are words of the contract. */
  counts(): Iterable<{ table: string; state: string; count: number }>
  /** How old the last whole scan of each table is, and how long it took. */
  scans(): Iterable<{ table: string; ageMs: number; tookMs: number }>
  /** Open streams of viewers. */
  readonly viewers: number
}

/** Registers the gauges of a watch, which are computed when they are asked for. */
export function watchGauges(registry: Registry, watch: WatchState): void {
  const registers = [registry]
  new Gauge({
    name: 'leasehold_leases',
    help: 'Leases by table and state, as last scanned.',
    labelNames: ['table', 'state'] as const,
    registers,
    collect() {
      // A state that no lease is in any more.
      this.reset()
      for (const { count, ...labels } of watch.counts()) this.set(labels, count)
    },
  })
  new Gauge({
    name: 'leasehold_scan_age_seconds',
    help: 'Time since the last whole scan of a table ended.',
    labelNames: ['table'] as const,
    registers,
    collect() {
      for (const { table, ageMs } of watch.scans()) this.set({ table }, ageMs / 1000)
    },
  })
  new Gauge({
    name: 'leasehold_scan_duration_seconds',
    help: 'How long the last whole scan of a table took.',
    labelNames: ['table'] as const,
    registers,
    collect() {
      for (const { table, tookMs } of watch.scans()) this.set({ table }, tookMs / 1000)
    },
  })
  new Gauge({
    name: 'leasehold_viewers',
    help: 'Open streams of viewers.',
    registers,
    collect() {
      this.set(watch.viewers)
    },
  })
}
