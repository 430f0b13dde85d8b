import { isLeaseholdError } from 'leasehold/lease'
import type { Sender } from '../audit/actor.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import type { LockServices } from './lock-services.ts'

/** The lock that a line is about. `owner` is null where the table has no owner column. */
interface LockName {
  name: string
  owner: string | null
}

type LockSender = Pick<Sender, 'session' | 'requestId'>

/** Releases, and logs what came of it: no answer does not mean that nothing was released. */
export async function loggedRelease<T extends { kind: string }>(
  services: LockServices,
  sender: LockSender,
  table: LeaseTable,
  lock: LockName,
  release: () => Promise<T>,
): Promise<T> {
  try {
    const outcome = await release()
    logLock(services, sender, 'release', table, lock, outcome.kind)
    return outcome
  } catch (thrown) {
    logLock(services, sender, 'release', table, lock, isLeaseholdError(thrown) ? thrown.code : 'failed')
    throw thrown
  }
}

/** A line in the log that names the user of a lock, and what came of the act. */
export function logLock(
  { requestLog }: Pick<LockServices, 'requestLog'>,
  { session: { username, role }, requestId }: LockSender,
  act: 'acquire' | 'release',
  table: LeaseTable,
  { name, owner }: LockName,
  outcome: string,
): void {
  const line = { act: `lock-${act}`, requestId, username, role, table: table.id, lease: name, owner, outcome }
  requestLog.info(line, `lock: ${act}`)
}
