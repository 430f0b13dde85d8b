/** Now and then a lease is ended by force: through a console, and through the library. */
import { pause, type Stage } from '../../lib/leasehold/test/faults/clients.ts'
import type { Report } from '../../lib/leasehold/testing/index.ts'
import type { ForcedRelease } from '../history/cluster-history.ts'
import type { OperatorClient } from './operator.ts'

/** What an outcome of the API is in a history of the library. */
function reportOf({ outcome, holder }: { outcome: string; holder: string | null }): Report {
  if (outcome === 'broken' || outcome === 'released') return { kind: 'killed' }
  if (outcome === 'holder-changed') return { kind: 'holder-changed', owner: holder }
  if (outcome === 'not-released' || outcome === 'superseded') return { kind: outcome }
  const isUnsent = outcome === 'not-sent' || outcome === 'audit-unavailable' || outcome === 'too-late'
  if (isUnsent) return { kind: 'store-unavailable' }
  return { kind: 'kill-unknown' }
}

/** Until the stage stops. `written`: called with each release that was planned. */
export async function releaseByForce(
  { recorder, random, stop, names }: Stage,
  client: string,
  operator: OperatorClient,
  written: (release: ForcedRelease) => void,
): Promise<void> {
  const all = [...names.byHand, ...names.kept]
  while (!stop.aborted) {
    await pause(3_000 + 4_000 * random())
    const name = all[Math.floor(all.length * random())] as string
    const mode = random() < 0.5 ? 'break' : 'kill'
    const done = await operator.release(name, mode).catch(() => undefined)
    if (done === undefined) continue
    const { ttlSeconds, holder, ...release } = done
    written(release)
    const { owner, calledMs, returnedMs } = release
    const facts = { client, kind: 'kill', name, owner, ttlSeconds, value: null } as const
    const report = reportOf({ outcome: release.outcome, holder })
    recorder.tell({ mark: recorder.mark('k'), ...facts, calledMs, returnedMs, report })
    await recorder.look(name)
  }
}
