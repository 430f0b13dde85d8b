import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type AuditChain, auditChainSchema } from '../../../contract/audit.ts'
import { isBucket } from '../chain/bucket.ts'
import { isBefore, type Seen } from '../chain/end/seen.ts'

/** A head as it was when it was written, kept outside of Cassandra. */
export const anchorSchema = z.object({
  at: z.string(),
  /** The keyspace of the log: several logs may share a data directory. */
  keyspace: z.string(),
  chain: auditChainSchema,
  bucket: z.string().refine(isBucket),
  seq: z.number().int().min(1),
  hash: z.string(),
  keyId: z.string(),
})
export type Anchor = z.infer<typeof anchorSchema>
export type Head = Omit<Anchor, 'keyspace'>

/** One anchor a line. Skips lines that a crash has cut, other lines of a log, and lines that name no bucket. */
export function anchorsIn(text: string): Anchor[] {
  return text.split('\n').flatMap((line) => {
    if (!line.includes('"hash"')) return []
    try {
      const json = JSON.parse(line)
      // The structured log carries it as `anchor`.
      return anchorSchema.safeParse(json.anchor ?? json).data ?? []
    } catch {
      return []
    }
  })
}

/**
 * What is worth keeping: of each chain the newest ones, so that a flood of one drops nothing of the other; the last of
 * each bucket, which says how long the bucket was; and whatever contradicts another, which proves that a chain was cut
 * and gone on with, however long ago.
 * @param anchors in the order of their writing, about
 */
export function pruned(anchors: readonly Anchor[], keepLast: number): Anchor[] {
  const kept = new Set<Anchor>()
  for (const chain of grouped(anchors, ({ keyspace, chain }) => `${keyspace}:${chain}`))
    for (const anchor of chain.slice(-keepLast)) kept.add(anchor)
  for (const bucket of grouped(anchors, ({ keyspace, chain, bucket }) => `${keyspace}:${chain}:${bucket}`))
    for (const anchor of evidence(bucket)) kept.add(anchor)
  return anchors.filter((anchor) => kept.has(anchor))
}

/** Of one bucket: the last anchor, and anchors that contradict each other: a chain only becomes longer. */
function evidence(bucket: readonly Anchor[]): Set<Anchor> {
  const found = new Set<Anchor>()
  let last: Anchor | null = null
  for (const anchor of bucket) {
    // Also when the new ones fall between the old: one anchor covers a batch.
    if (last !== null && anchor.seq <= last.seq && anchor.hash !== last.hash) found.add(last).add(anchor)
    if (last === null || anchor.seq >= last.seq) last = anchor
  }
  if (last !== null) found.add(last)
  for (const same of grouped(bucket, ({ seq }) => String(seq)))
    if (new Set(same.map(({ hash }) => hash)).size > 1) for (const anchor of same) found.add(anchor)
  return found
}

function grouped(anchors: readonly Anchor[], keyOf: (anchor: Anchor) => string): Iterable<Anchor[]> {
  const groups = new Map<string, Anchor[]>()
  for (const anchor of anchors) {
    const key = keyOf(anchor)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [anchor])
    else group.push(anchor)
  }
  return groups.values()
}

/** Every file with anchors in a data directory. */
export function anchorFilesIn(dataDir: string): string[] {
  return readdirSync(/* turbopackIgnore: true */ dataDir)
    .filter((name) => /^audit-anchors(\..+)?\.jsonl$/.test(name))
    .sort()
    .map((name) => join(/* turbopackIgnore: true */ dataDir, name))
}

/** The newest place of the chain among these anchors. */
export function newestAnchor(anchors: readonly Anchor[], keyspace: string, chain: AuditChain): Seen | null {
  const ours = anchors.filter((each) => each.keyspace === keyspace && each.chain === chain)
  return ours.reduce<Anchor | null>(
    (last, each) => (last === null || isBefore(last, each) ? each : last),
    null,
  )
}
