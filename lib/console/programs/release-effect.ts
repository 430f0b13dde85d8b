import { type LeaseView, OutcomeUnknownError, type ReleaseOutcome } from 'leasehold/lease'
import { killEffect } from 'leasehold/operator'
import { HttpProblem } from '../http/http-problem.ts'
import { iso } from '../http/instant.ts'
import type { LeaseTable } from '../leases/lease-table.ts'

/** `holder`: as read after a release that Cassandra answered as applied, and that had no effect. */
type ReadRelease = ReleaseOutcome | { kind: 'not-released'; holder: LeaseView }

/**
 * Releases a lease, and reads the row again: Cassandra answers *applied* also where a client dated the row ahead of
 * the clocks, and then changes nothing.
 * @param before the holder's row, as it was read before
 * @throws OutcomeUnknownError when the row is dated ahead, and no read shows what became of it: the intent in the audit log stays
 * open, and the recovery finds out; else what `release` throws
 */
export async function releaseAndRead(
  { leases }: LeaseTable,
  before: LeaseView,
  release: () => Promise<ReleaseOutcome>,
): Promise<ReadRelease> {
  const outcome = await release()
  if (outcome.kind !== 'released') return outcome
  const { name, owner } = before
  // Cassandra has answered the delete: no error of a read changes its outcome.
  const after = await leases.read(name).catch(() => undefined)
  const kind = killEffect(before, after)
  if (kind === 'released') return outcome
  if (kind === 'not-released') return { kind, holder: after as LeaseView }
  throw new OutcomeUnknownError(
    `Whether ${JSON.stringify(name)} was released is unknown: Cassandra answered “applied”, which means nothing where a client dates the row ahead of the clocks. Read the lock again; the audit log will have the outcome.`,
    name,
    owner,
  )
}

export function noEffectProblem({ owner, version }: LeaseView): HttpProblem {
  const writtenAt = version === null ? '' : ` (${iso(Number(version / 1_000n))})`
  return new HttpProblem(
    'no-effect',
    `Nothing was released: Cassandra answered “applied”, but a SERIAL read shows that ${owner} still holds the lock. A client dated it ahead of the clocks${writtenAt}, and nothing that is dated before can change it.`,
  )
}
