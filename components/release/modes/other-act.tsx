'use client'

import { releasePath } from '../../../lib/contract/path.ts'
import { doneAt } from '../../../lib/contract/releases/done-at.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { modeLooks } from './mode-look.ts'

/** What another person, or the same one elsewhere, did to the lease: "operator-2 broke it at 03:14:02 UTC". */
export function OtherAct({ release }: { release: Release }) {
  const { mode, outcome, plannedBy, requestedAt, approval, reason } = release
  const { did, word } = modeLooks[mode ?? 'ask']
  const tookEffect = outcome === 'released' || outcome === 'broken'
  const at = doneAt(release)
  return (
    <>
      <b>{plannedBy}</b> {tookEffect ? did : `asked to ${word.toLowerCase()} it`}
      {approval?.by != null && `, approved by ${approval.by},`}
      {at !== null ? (
        <>
          {' '}
          at <Instant at={at} zoned />
        </>
      ) : (
        requestedAt !== null && (
          <>
            {tookEffect && approval?.by == null && ','}
            {tookEffect ? ' asked for at ' : ' at '}
            <Instant at={requestedAt} zoned />
          </>
        )
      )}
      {reason !== null && <>: “{reason}”</>}. {!tookEffect && 'Whether that took effect is not known. '}
      <PageLink className="link" href={releasePath(release.id)}>
        See that release
      </PageLink>
    </>
  )
}
