'use client'

import { useQuery } from '@tanstack/react-query'
import { awaitingQuery, resignRequestsQuery, sessionQuery } from '../../../lib/client/call/queries.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { releasePath } from '../../../lib/contract/path.ts'
import { tableParam } from '../../leases/address/lease-link.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { Say } from '../../ui/text/say.tsx'
import { modeLooks } from './mode-look.ts'

/** What other people have begun to do about the same holder while this plan is looked at. Nothing, usually. */
export function OthersSay({ lease }: { lease: Lease }) {
  const me = useQuery(sessionQuery).data?.data.username
  const requests = useQuery(resignRequestsQuery(lease.name, tableParam(lease.table))).data ?? []
  const awaiting = useQuery(awaitingQuery).data?.releases ?? []
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
