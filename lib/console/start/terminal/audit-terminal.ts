/**
 * What `npm run audit -- restart` and `npm run audit -- rekey` do: the ways back when the audit log was damaged, and when its
 * key was lost. A person with a shell on the server may do both. Started by scripts/audit, compiled.
 */
import { connect } from 'leasehold/cassandra'
import { systemClock, systemTimer } from 'leasehold/time'
import type { Anchor } from '../../audit/anchors/anchor.ts'
import { AnchorFile } from '../../audit/anchors/anchor-file.ts'
import { auditKey } from '../../audit/anchors/audit-key.ts'
import { checkKey, replaceKeyCheck } from '../../audit/anchors/key-check.ts'
import { VersionsFile } from '../../audit/anchors/versions-file.ts'
import { CassandraAuditStore } from '../../audit/chain/audit-store.ts'
import {
  type Restarted,
  restartDamaged,
  restartForNewKey,
} from '../../audit/chain/end/restart/restart-damaged.ts'
import { readConfig } from '../config/config.ts'

interface AuditRepair {
  act: 'restart' | 'rekey'
  reason: string
}

/** Another console may have seen an entry that neither the anchors nor the kept versions of this directory name. */
const isWhole =
  'Both chains can be read to their ends, and these are not before the anchors of this data directory, so nothing was changed. If a console still shows an alarm after a second, run this command on the servers of the other consoles too.'

const goOn = (restarted: readonly Restarted[]): string =>
  restarted.map(({ chain, since }) => `The chain ${chain} goes on in ${since.bucket}`).join('. ')

/**
 * @param osUser the system user, for the audit
 * @returns a sentence
 * @throws Error with a sentence: nothing was changed, or of `restart` and two damaged chains `main` alone
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
    const options = {
      store: new CassandraAuditStore(session),
      keyspace,
      key,
      clock: systemClock,
      anchors: anchors.all(),
      anchor: (anchor: Anchor) => anchors.keep(anchor),
      actor: { username: osUser, role: 'admin', via: 'terminal', address: null, requestId: null },
      reason,
    } as const
    if (act === 'rekey') {
      const restarted = await restartForNewKey(options)
      for (const { chain, since } of restarted)
        if (chain === 'main') await replaceKeyCheck(session, key, since)
      return `${goOn(restarted)}, with the key ${key.id}. Run npm run user -- seal to seal users and tokens with it. Then start the consoles, each with this key.`
    }
    const since = await checkKey(session, key)
    const followed = new VersionsFile(config.dataDir, keyspace, key).read()?.at ?? null
    const restarted = await restartDamaged(options, { since, followed })
    return restarted.length === 0
      ? isWhole
      : `${goOn(restarted)}. Running consoles continue there within a second.`
  } finally {
    await session.close()
  }
}
