import type { Clock } from 'leasehold/time'
import type { AuditChain } from '../../../../../contract/audit.ts'
import type { AuditKey } from '../../../anchors/audit-key.ts'
import type { AuditStore } from '../../audit-store.ts'
import { AuditDamagedError } from '../chain-alarm.ts'
import { ChainEnd } from '../chain-end.ts'
import { isBefore, type Seen, type Spot } from '../seen.ts'
import type { Tail } from '../tail.ts'

interface SilentEndOptions {
  store: AuditStore
  chain: AuditChain
  key: AuditKey
  clock: Clock
  anchored: Seen | null
}

const silent = { info() {}, warn() {}, error() {} } as never

/** The end of a chain as a command looks at it: the operator reads what the command says, and no log. */
export const silentEnd = (options: SilentEndOptions): ChainEnd => new ChainEnd({ ...options, log: silent })

/**
 * The end at which each console appends. After a damage that is the end of the bucket with which an operator restarted the
 * chain, if one has.
 * @param gap a place that cannot be read; after the end, it says that the end itself was lost
 * @returns null: the end is damaged, so consoles append nothing
 * @throws StoreUnavailableError
 */
export async function soundTail(end: ChainEnd, gap: Spot | null = null): Promise<Tail | null> {
  return end
    .find()
    .then((tail) => {
      const isLost = gap !== null && !isBefore(gap, { bucket: tail.bucket, seq: tail.seq + 1 })
      return isLost ? end.damaged('link', gap) : tail
    })
    .catch(passDamage)
}

/** What was appended there is not there: the end looks sound, and is not. */
export async function vanished(end: ChainEnd, place: Spot): Promise<void> {
  await end.damaged('vanished', place).catch(passDamage)
}

function passDamage(thrown: unknown): null {
  if (thrown instanceof AuditDamagedError) return null
  throw thrown
}
