'use client'

import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { quarantineOf } from '../../../lib/contract/leases/quarantine.ts'
import { releasePath } from '../../../lib/contract/path.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { OwnerText } from './owner-text.tsx'

/** Of a quarantined lease: who broke it, when, whose it was, and the way to all of it. Nothing of any other. */
export function WhoBroke({ lease }: { lease: Lease }) {
  const quarantine = quarantineOf(lease.owner, lease.value)
  if (quarantine === null) return null
  const { note, releaseId } = quarantine
  return (
    <>
      {note === null ? (
        'This lease was broken. '
      ) : (
        <>
          <b>{note.by}</b> broke it at <Instant at={note.at} zoned />; it was held by{' '}
          <OwnerText owner={note.was} />.{' '}
        </>
      )}
      <PageLink className="link" href={releasePath(releaseId)}>
        See the release
      </PageLink>
      {'. '}
    </>
  )
}
