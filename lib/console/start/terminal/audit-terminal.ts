/**
 * What `npm run audit -- restart` and `npm run audit -- rekey` do: the ways back when the audit log was damaged, and when its
 * key was lost. A person with a shell on the server may do both. Started by scripts/audit, compiled.
 */
import { connect } from 'leasehold/cassandra'
import { systemClock, systemTimer } from 'leasehold/time'
import { AnchorFile } from '../../audit/anchors/anchor-file.ts'
import { auditKey } from '../../audit/anchors/audit-key.ts'
import { checkKey, replaceKeyCheck } from '../../audit/anchors/key-check.ts'
import { VersionsFile } from '../../audit/anchors/versions-file.ts'
import { CassandraAuditStore } from '../../audit/chain/audit-store.ts'
import { ChainReader } from '../../audit/chain/end/chain-reader.ts'
import { restartChain } from '../../audit/chain/end/restart/restart-chain.ts'
import { mainEnd, soundTail } from '../../audit/chain/end/restart/sound-end.ts'
import { isBefore, lastKnown, type Spot } from '../../audit/chain/end/seen.ts'
import { newestAnchor } from '../../audit/stored-audit-log.ts'
import { readConfig } from '../config/config.ts'

interface AuditRepair {
  act: 'restart' | 'rekey'
  reason: string
}

const earlier = (one: Spot, other: Spot): Spot => (isBefore(other, one) ? other : one)

/**
 * @param osUser the system user, for the audit
 * @returns a sentence
 * @throws Error with a sentence: nothing was changed
 */
export async function runAuditRepair(
  environment: Record<string, string | undefined>,
  osUser: string,
  { act, reason }: AuditRepair,
): Promise<string> {
  const config = readConfig(environment)
  const key = auditKey(config.dataDir, config.auditKey)
  const { schema, reader: _reader, ...writer } = config.cassandra
  // Only the role that migrates may store a new key.
  const session = await connect(act === 'rekey' ? { ...writer, ...schema } : config.cassandra)
  try {
    const { keyspace } = session
    const anchors = new AnchorFile(config.dataDir, systemTimer)
    let seen = newestAnchor(anchors.all(), keyspace, 'main')
    const store = new CassandraAuditStore(session)
    let gap: Spot | null = null
    if (act === 'restart') {
      const since = await checkKey(session, key)
      const kept = new VersionsFile(config.dataDir, keyspace, key).read()?.at ?? null
      // As a console does: it has followed entries of others, which only their anchors name.
      seen = lastKnown(seen, kept)
      const end = mainEnd({ store, key, clock: systemClock, anchored: seen })
      const readers = [since, ...(kept === null ? [] : [kept])].map(
        (since) => new ChainReader({ store, chain: 'main', isOurs: end.own.isOurs, since }),
      )
      const tail = await soundTail(end)
      // Reads it from its beginning, as a new installation does, and from the place where this one continues.
      const gaps = await Promise.all(readers.map((reader) => reader.read(tail)))
      if (tail !== null && gaps.every((found) => found === null))
        return 'The log is whole and can be read to its end, so nothing was changed. A console that still shows an alarm notices this within a second.'
      gap = gaps.filter((found) => found !== null).reduce(earlier)
    }
    const since = await restartChain({
      store,
      keyspace,
      key,
      clock: systemClock,
      anchored: seen,
      reason,
      gap,
      anchor: (anchor) => anchors.keep(anchor),
      actor: { username: osUser, role: 'admin', via: 'terminal', address: null, requestId: null },
    })
    if (act === 'rekey') await replaceKeyCheck(session, key, since)
    return act === 'rekey'
      ? `The log goes on in ${since.bucket}, with the key ${key.id}. Run npm run user -- seal to seal users and tokens with it. Then start the consoles, each with this key.`
      : `The log goes on in ${since.bucket}. Running consoles continue there within a second.`
  } finally {
    await session.close()
  }
}
