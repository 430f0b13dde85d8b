import { Counter, Gauge, type Registry } from 'prom-client'
import { auditChains } from '../../contract/audit.ts'
import { releaseModes } from '../../contract/releases/release-modes.ts'
import type { AuditMeter, AuditState } from '../audit/audit-entry.ts'
import { Durations } from './durations.ts'

const modes: ReadonlySet<unknown> = new Set(Object.keys(releaseModes))

/** The audit log, and the forced releases as it has them: no audit, no act. */
export function auditMetrics(registry: Registry): AuditMeter & { observe(state: AuditState): void } {
  const registers = [registry]
  const appends = new Durations(registry, {
    name: 'leasehold_audit_append_duration_seconds',
    help: 'Audit entries by chain and outcome, from the act until the entry is written and read back.',
    labelNames: ['chain', 'outcome'],
  })
  const releases = new Counter({
    name: 'leasehold_forced_releases_total',
    help: 'Forced releases by mode and outcome, as this process wrote them into the audit log.',
    labelNames: ['mode', 'outcome'] as const,
    registers,
  })
  return {
    appended({ act, phase, outcome, after }, chain, ended, ms) {
      appends.observe(chain, ended, ms)
      if (act !== 'release' || phase !== 'outcome' || ended !== 'written') return
      // Without a plan a release is a kill: the entry has no mode of its own.
      const mode = (after as { mode?: unknown } | null)?.mode ?? 'kill'
      releases.inc({ mode: modes.has(mode) ? String(mode) : 'other', outcome: outcome ?? 'unknown' })
    },
    observe(state) {
      new Gauge({
        name: 'leasehold_audit_follow_age_seconds',
        help: 'Time since the audit chain was last read to its end. A row that gives rights is as fresh as this.',
        registers,
        collect() {
          this.set(state.followAgeMs / 1000)
        },
      })
      new Gauge({
        name: 'leasehold_audit_pending_entries',
        help: 'Audit entries that wait to be written.',
        registers,
        collect() {
          this.set(state.pending.length)
        },
      })
      new Gauge({
        name: 'leasehold_audit_alarms',
        help: 'Alarms of the audit log, by chain: while one is above 0, the log was changed past the console.',
        labelNames: ['chain'] as const,
        registers,
        collect() {
          for (const chain of auditChains)
            this.set({ chain }, state.alarms.filter((alarm) => alarm.chain === chain).length)
        },
      })
    },
  }
}
