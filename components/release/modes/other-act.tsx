'use client'

import { releasePath } from '../../../lib/contract/path.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { modeLooks } from './mode-look.ts'

/** What another person, or the same one elsewhere, did to the lease: "operator-2 broke it at 03:14:02 UTC". */
export function OtherAct({ release }: { release: Release }) {
  const { mode, plannedBy, requestedAt, approval, reason } = release
  return (
    <>
      <b>{plannedBy}</b> {mode === null ? 'acted on it' : modeLooks[mode].did}
      {approval?.by != null && `, approved by ${approval.by},`}
      {requestedAt !== null && (
        <>
          {' '}
          at <Instant at={requestedAt} zoned />
        </>
      )}
      {reason !== null && <>: “{reason}”</>}.{' '}
      <PageLink className="link" href={releasePath(release.id)}>
        See that release
      </PageLink>
    </>
  )
}
