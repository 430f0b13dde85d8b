/**
 * Claim: 35 appends to the audit log a second or more, each anchored on the disk before it is said to be written: by
 * one writer that waits for each, and by three that contend. Grouping is measured beside it: what an instance reaches
 * whose requests come at once.
 */
import { randomBytes } from 'node:crypto'
import { systemClock, systemTimer } from 'leasehold/time'
import { importCompiled } from '../../scripts/console/compile.mjs'
import { temporaryFolder } from '../../scripts/test/temporary-folder.mjs'
import { inParallel, summary } from '../measure.mjs'

const appends = 600

/** @param {import('../measure.mjs').Bench} bench */
export async function audit({ writer: session }) {
  const { ChainWriter } = await importCompiled('audit/chain/chain-writer')
  const { CassandraAuditStore } = await importCompiled('audit/chain/audit-store')
  const { ChainEnd } = await importCompiled('audit/chain/end/chain-end')
  const { AnchorFile } = await importCompiled('audit/anchors/anchor-file')
  const key = { bytes: randomBytes(32), id: 'benchbenchbe' }
  const log = { info() {}, warn: console.warn, error: console.error }
  const writer = () => {
    const anchors = new AnchorFile(temporaryFolder('leasehold-bench'), systemTimer)
    const of = { store: new CassandraAuditStore(session), chain: 'main', key, log, clock: systemClock }
    return new ChainWriter({
      ...of,
      end: new ChainEnd({ ...of, anchored: null }),
      clock: systemClock,
      timer: systemTimer,
      appendWithinMs: 60_000,
      anchor: (/** @type {unknown} */ anchor) => anchors.keep(anchor),
    })
  }
  /** @param {number} n */
  const event = (n) => ({
    act: 'release',
    phase: n % 2 === 0 ? 'intent' : 'outcome',
    id: `bench-${n >> 1}`,
    actor: { username: 'ann', role: 'operator', via: 'password', address: '10.0.0.7', requestId: 'bench' },
    on: { kind: 'lease', table: 'leases', name: 'billing/leader', owner: 'host-1:4711:k3j2h1:1' },
    reason: 'it hangs since the deployment',
    before: { version: '1417455697411000' },
    after: null,
    outcome: n % 2 === 0 ? null : 'released',
  })
  /** @param {InstanceType<typeof ChainWriter>[]} writers @param {number} width */
  const measure = async (writers, width) => {
    // A table of its own age: the server has written only a few entries of its start.
    await session.client.execute(`TRUNCATE "${session.keyspace}".audit_log`)
    for (const each of writers) await each.append(event(0))
    /** @type {number[]} */
    const samplesMs = []
    const startedMs = performance.now()
    await inParallel(
      Array.from({ length: appends }, (_, n) => n),
      width,
      async (n) => {
        const beganMs = performance.now()
        await writers[n % writers.length].append(event(n))
        samplesMs.push(performance.now() - beganMs)
      },
    )
    return { ...summary(samplesMs), perSecond: (appends * 1000) / (performance.now() - startedMs) }
  }
  const one = await measure([writer()], 1)
  const three = await measure([writer(), writer(), writer()], 3)
  const grouped = await measure([writer()], 32)
  const least = Math.min(one.perSecond, three.perSecond)
  return {
    title: `Appends to the audit log, ${appends} each`,
    rows: [
      [`one at a time: ${one.perSecond.toFixed(0)}/s`, one],
      [`three writers that contend: ${three.perSecond.toFixed(0)}/s`, three],
      [`one writer, 32 at once: ${grouped.perSecond.toFixed(0)}/s`, grouped],
    ],
    claim: `${least.toFixed(0)} appends a second at least, one at a time and contended (claimed: at least 35)`,
    holds: least >= 35,
  }
}
