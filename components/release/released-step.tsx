'use client'

import { useQuery } from '@tanstack/react-query'
import { clockLease } from '../../lib/client/countdown.ts'
import { leaseQuery } from '../../lib/client/queries.ts'
import { isAddressable, leasePath } from '../../lib/contract/path.ts'
import type { Release } from '../../lib/contract/release.ts'
import { ReadPill } from '../leases/read-pill.tsx'
import { Instant } from '../shell/instant.tsx'
import { PageLink } from '../shell/page-link.tsx'
import { DialogLead, DialogTitle } from '../ui/dialog.tsx'
import { NameText } from '../ui/name-text.tsx'
import { OwnerText } from './owner-text.tsx'
import { RenewedMeanwhile } from './renewed-meanwhile.tsx'

interface ReleasedStepProps {
  release: Release
  table: string | undefined
  onClose: () => void
}

/** It was released. Who holds it now is watched on, so that the next holder appears here. */
export function ReleasedStep({ release, table, onClose }: ReleasedStepProps) {
  const { planned } = release
  const reading = useQuery(leaseQuery(planned.name, table)).data
  // Only what was read after the answer counts, or what the server itself read after the delete.
  const seen = reading?.held && reading.sighting.lease.read.at > release.now ? reading.sighting : null
  const owner = (seen?.lease ?? release.current)?.owner ?? null
  return (
    <div className="body first-step">
      <div role="status">
        <DialogTitle>
          {owner === null ? (
            'Released. Nobody holds it yet.'
          ) : (
            <>
              Released. <OwnerText owner={owner} /> holds it now.
            </>
          )}
        </DialogTitle>
        <DialogLead>
          <span className="mono break-all capped" title={planned.name}>
            <NameText name={planned.name} />
          </span>{' '}
          was deleted under <OwnerText owner={planned.owner} />.{' '}
          {release.currentReadAt === null ? (
            'Who holds it now could not be read.'
          ) : (
            <>
              Read again at SERIAL at <Instant at={release.currentReadAt} digits={1} zoned />.
            </>
          )}
        </DialogLead>
      </div>
      {seen && (
        <p className="mt-2">
          <ReadPill of={clockLease(seen)} stale={false} />
        </p>
      )}
      {release.renewedSincePlan && <RenewedMeanwhile />}
      <div className="acts mt-4 pb-4">
        {isAddressable(planned.name) && (
          <PageLink className="btn push" href={leasePath(planned.name, table)} onClick={onClose}>
            Open the lease
          </PageLink>
        )}
        <button type="button" className="btn primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  )
}
