import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { auditChainSchema } from '../../contract/audit.ts'

/** A head as it was when it was written, kept outside of Cassandra. */
export const anchorSchema = z.object({
  at: z.string(),
  /** Of the log: several may share a data directory. */
  keyspace: z.string(),
  chain: auditChainSchema,
  bucket: z.string(),
  seq: z.number().int().min(1),
  hash: z.string(),
  keyId: z.string(),
})
export type Anchor = z.infer<typeof anchorSchema>
export type Head = Omit<Anchor, 'keyspace'>

/** One a line. Lines that a crash has cut, and those of others in a log, are passed over. */
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

/** What is worth keeping: the last of each bucket, which says how long the bucket was, and the newest ones. */
export function pruned(anchors: readonly Anchor[], keepLast: number): Anchor[] {
  const newest = new Set(anchors.slice(-keepLast))
  const ends = new Map<string, Anchor>()
  for (const anchor of anchors) {
    const place = `${anchor.keyspace}:${anchor.chain}:${anchor.bucket}`
    if ((ends.get(place)?.seq ?? 0) <= anchor.seq) ends.set(place, anchor)
  }
  const end = new Set(ends.values())
  return anchors.filter((anchor) => newest.has(anchor) || end.has(anchor))
}

/** Every file with anchors in a data directory. */
export function anchorFilesIn(dataDir: string): string[] {
  return readdirSync(/* turbopackIgnore: true */ dataDir)
    .filter((name) => /^audit-anchors(\..+)?\.jsonl$/.test(name))
    .sort()
    .map((name) => join(/* turbopackIgnore: true */ dataDir, name))
}
