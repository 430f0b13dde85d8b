'use client'

import { useQuery } from '@tanstack/react-query'
import { awaitingQuery, hasFailed, resignRequestsQuery } from '../../../lib/client/call/queries.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { releasePath } from '../../../lib/contract/path.ts'
import { tableParam } from '../../leases/address/lease-link.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { useSession } from '../../shell/session/session-context.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { Say } from '../../ui/text/say.tsx'
import { modeLooks } from '../modes/mode-look.ts'

/**
 * What other people have begun to do about the same holder while this plan is looked at. Nothing, usually. Where that cannot be read, the act
 * stays possible: an incident does not wait for it.
 */
export function OthersSay({ lease }: { lease: Lease }) {
  const me = useSession().username
  const resign = useQuery(resignRequestsQuery(lease.name, tableParam(lease.table)))
  const open = useQuery(awaitingQuery)
  const requests = resign.data ?? []
  const awaiting = open.data?.releases ?? []
  // The newest tells enough; a later holder was not asked.
  const asked = requests
    .filter(({ owner }) => owner === lease.owner)
    .toSorted((a, b) => (a.requestedAt < b.requestedAt ? 1 : -1))[0]
  const waiting = awaiting.filter(
    ({ planned }) => planned.table === lease.table && planned.name === lease.name,
  )
  const who = (username: string) => (username === me ? 'You' : username)
  return (
    <div className="grid gap-2 empty:hidden" role="status">
      {(hasFailed(resign) || hasFailed(open)) && (
        <Say tone="warn" icon="stale" title="What other people asked could not be read.">
          Another operator may have asked this holder to resign, or asked to release this lease. You can go
          on; the console tries again.
        </Say>
      )}
      {asked && (
        <Say tone="warn" icon="person" title={`${who(asked.requestedBy)} asked this holder to resign.`}>
          At <Instant at={asked.requestedAt} zoned />: “{asked.reason}”. No answer yet. A second ask is a
          request of its own: the holder reads both.
        </Say>
      )}
      {waiting.map((release) => (
        <Say
          key={release.id}
          tone="warn"
          icon="person"
          title={`${who(release.plannedBy)} asked to ${modeLooks[release.mode ?? 'ask'].word.toLowerCase()} this lease.`}
        >
          Waiting for approval: “{release.reason}”.{' '}
          <PageLink className="link" href={releasePath(release.id)}>
            Open that request
          </PageLink>
        </Say>
      ))}
    </div>
  )
}
