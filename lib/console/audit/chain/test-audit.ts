/** For tests alone: events, a log over any store, a restart of it, and a source to verify. */
import { randomBytes } from 'node:crypto'
import type { Clock, Timer } from 'leasehold/time'
import type { AuditEvent } from '../../../contract/audit.ts'
import { log } from '../../http/log/log.ts'
import { serverActor } from '../actor.ts'
import type { Anchor } from '../anchors/anchor.ts'
import type { AuditKey } from '../anchors/audit-key.ts'
import type { AuditMeter } from '../audit-entry.ts'
import { StoredAuditLog, type StoredAuditLogOptions } from '../stored-audit-log.ts'
import { type AuditSource, type Verdict, verify } from '../verify/verify.ts'
import type { AuditStore } from './audit-store.ts'
import { keyIdOf } from './chain-hash.ts'
import { ChainReader } from './end/chain-reader.ts'
import { isOursWith } from './end/own-rows.ts'
import { restartChain } from './end/restart/restart-chain.ts'
import type { Seen } from './end/seen.ts'
import type { MemoryAuditStore } from './test-memory-audit-store.ts'

export function event(id: string, changes: Partial<AuditEvent> = {}): AuditEvent {
  return {
    act: 'release',
    phase: 'event',
    id,
    actor: { username: 'ann', role: 'operator', via: 'password', address: '10.0.0.7', requestId: 'r' },
    on: { kind: 'lease', table: 'leases', name: 'billing/leader', owner: 'host:1:a:1' },
    reason: 'it hangs',
    before: { version: '1' },
    after: null,
    outcome: 'ok',
    ...changes,
  }
}

/** A refusal of a sender that is not signed in. */
export const refusal = (id: string): AuditEvent =>
  event(id, {
    act: 'sign-in',
    actor: { username: 'who', role: null, via: 'password', address: '10.9.9.9', requestId: null },
    on: { kind: 'user', username: 'who' },
    outcome: 'refused',
  })

export function testKey(): AuditKey {
  const bytes: Buffer = randomBytes(32)
  return { bytes, id: keyIdOf(bytes) }
}

interface TestLogOptions {
  store: AuditStore
  keyspace?: string
  clock: Clock
  timer: Timer
  key?: AuditKey
  anchors?: Anchor[]
  appendWithinMs?: number
  since?: StoredAuditLogOptions['since']
  meter?: AuditMeter
}

export function testLog(options: TestLogOptions) {
  const {
    store,
    keyspace = 'memory',
    clock,
    timer,
    key = testKey(),
    anchors = [],
    appendWithinMs,
    since = null,
    meter,
  } = options
  const keep = async (anchor: Anchor) => void anchors.push(anchor)
  const audit = new StoredAuditLog({
    store,
    keyspace,
    key,
    clock,
    timer,
    log,
    since,
    anchors: { keep, all: () => anchors },
    appendWithinMs,
    meter,
  })
  return { audit, key, anchors }
}

/** As an operator does who has no anchors, or this one: for the first place that cannot be read from the beginning on. */
export async function restartTestLog({
  store,
  key,
  clock,
  anchored = null,
}: {
  store: AuditStore
  key: AuditKey
  clock: Clock
  anchored?: Seen | null
}) {
  const gap = await new ChainReader({
    store,
    chain: 'main',
    isOurs: isOursWith(key, 'main'),
    since: null,
  }).read(null)
  await restartChain({
    store,
    chain: 'main',
    keyspace: 'memory',
    key,
    clock,
    anchored,
    gap,
    anchor: async () => {},
    actor: serverActor,
    reason: 'a power cut',
  })
  return gap
}

/** What stands in memory, as `verify` reads it. */
export function memorySource({ buckets }: MemoryAuditStore): AuditSource {
  const headOf = (partition: string) => {
    const { seq, hash, next, previous } = buckets.get(partition)!.head
    return { partition, seq, hash, next, previous }
  }
  return {
    buckets: async () => [...buckets.keys()].map(headOf),
    head: async (partition) => (buckets.has(partition) ? headOf(partition) : null),
    rows: async function* (partition, fromSeq) {
      const rows = [...(buckets.get(partition)?.rows.values() ?? [])].sort((a, b) => a.seq - b.seq)
      for (const row of rows) if (row.seq >= fromSeq) yield row
    },
  }
}

/** Chain, bucket, place and difference of each finding, in one line. */
export const named = ({ findings }: Verdict): string[] =>
  findings.map(({ chain, bucket, seq, difference }) => `${chain} ${bucket} ${seq ?? '-'} ${difference}`)

export async function verified(
  source: AuditSource,
  key: AuditKey,
  anchors: readonly Anchor[] = [],
): Promise<string[]> {
  return named(await verify({ source, keys: new Map([[key.id, key.bytes]]), anchors, nowMs: Date.now() }))
}
