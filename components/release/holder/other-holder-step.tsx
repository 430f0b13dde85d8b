'use client'

import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { useTitle } from '../../shell/truth/browser-title.tsx'
import { DialogLead, DialogTitle } from '../../ui/control/dialog.tsx'
import { Say } from '../../ui/text/say.tsx'
import { LeaseDiff } from './lease-diff.tsx'
import { LeaseName } from './lease-name.tsx'

interface OtherHolderStepProps {
  name: string
  /** The lease as the user saw it. */
  seen: Lease
  /** As the plan read it. */
  now: Lease
  onGoOn: () => void
  onClose: () => void
}

/**
 * Before a plan is shown: its holder is not the one that the user saw, in a row that was paused or stale or changed a
 * moment before. Nothing can be released from here.
 */
export function OtherHolderStep({ name, seen, now, onGoOn, onClose }: OtherHolderStepProps) {
  useTitle(`Another holder: ${name}`)
  return (
    <div className="body first-step">
      <div role="alert">
        <DialogTitle>
          Another holder: <LeaseName name={name} />
        </DialogTitle>
        <DialogLead>
          The holder that you saw no longer holds the lease. Another one does now, and may be healthy.
        </DialogLead>
      </div>
      <LeaseDiff planned={seen} head="When you looked" current={now} readAt={now.read.at} />
      <div className="mt-4">
        <Say tone="warn" icon="risk" title="The old holder no longer holds it.">
          Go on only if you want to release the <b>new</b> holder.
        </Say>
      </div>
      <div className="acts mt-4 pb-4">
        <button type="button" className="btn push" onClick={onGoOn}>
          Go on with the new holder
        </button>
        <button type="button" className="btn primary" onClick={onClose}>
          Leave it alone
        </button>
      </div>
    </div>
  )
}
