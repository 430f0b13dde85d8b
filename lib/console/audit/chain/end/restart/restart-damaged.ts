/**
 * What `npm run audit -- restart` and `npm run audit -- rekey` do to the log: each chain that is damaged goes on in a new
 * bucket, and a chain that is whole stays as it is.
 */
import { type AuditChain, auditChains } from '../../../../../contract/audit.ts'
import { type Anchor, newestAnchor } from '../../../anchors/anchor.ts'
import type { ChainEnd } from '../chain-end.ts'
import { beginningOfRefused, ChainReader } from '../chain-reader.ts'
import { isBefore, lastKnown, type Seen, type Spot } from '../seen.ts'
import { type RestartOptions, restartChain } from './restart-chain.ts'
import { silentEnd, soundTail } from './sound-end.ts'

interface LogRestartOptions extends Omit<RestartOptions, 'chain' | 'anchored' | 'gap'> {
  /** Those of the data directory. */
  anchors: readonly Anchor[]
}

export interface Restarted {
  chain: AuditChain
  /** The place before the first entry of the new bucket. */
  since: Seen
}

/** `gap`: as `restartChain` takes it. */
type Damage = Pick<RestartOptions, 'gap'>

/**
 * @param since the entry after which `main` is this key's; null: all of it is
 * @param followed the entry to which this installation has followed `main`; null: it has kept none
 * @returns the chains that were damaged
 * @throws as `restartChain`; a chain that was restarted before the failure stays so
 */
export function restartDamaged(
  options: LogRestartOptions,
  { since, followed }: { since: Seen | null; followed: Seen | null },
): Promise<Restarted[]> {
  // From the beginning, as a new installation reads it, and from the place where this one continues.
  const ofMain = followed === null ? [since] : [since, followed]
  return restartEach(options, followed, async ({ end, nowMs }) => {
    const { own } = end
    const tail = await soundTail(end)
    const places = own.chain === 'main' ? ofMain : [await beginningOfRefused(own, nowMs)]
    const gaps = await Promise.all(places.map((since) => new ChainReader({ ...own, since }).read(tail)))
    const found = gaps.filter((gap) => gap !== null)
    return tail !== null && found.length === 0 ? null : { gap: found.reduce(earlier) }
  })
}

/** After the key was lost: `main`, and `refused` where it ends with an entry of that key. @throws as `restartDamaged` */
export function restartForNewKey(options: LogRestartOptions): Promise<Restarted[]> {
  return restartEach(options, null, async ({ end }) =>
    end.own.chain === 'main' || (await soundTail(end)) === null ? { gap: null } : null,
  )
}

async function restartEach(
  { anchors, ...options }: LogRestartOptions,
  followed: Seen | null,
  damageOf: (looked: { end: ChainEnd; nowMs: number }) => Promise<Damage | null>,
): Promise<Restarted[]> {
  const restarted: Restarted[] = []
  for (const chain of auditChains) {
    const newest = newestAnchor(anchors, options.keyspace, chain)
    // As a console does: it has followed entries of others, which only their anchors name.
    const anchored = chain === 'main' ? lastKnown(newest, followed) : newest
    const end = silentEnd({ ...options, chain, anchored })
    const damage = await damageOf({ end, nowMs: options.clock.now().wallMs })
    if (damage === null) continue
    restarted.push({ chain, since: await restartChain({ ...options, ...damage, chain, anchored }) })
  }
  return restarted
}

const earlier = (one: Spot, other: Spot): Spot => (isBefore(other, one) ? other : one)
