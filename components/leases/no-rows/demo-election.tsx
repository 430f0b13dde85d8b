'use client'

import { endpoints } from '../../../lib/contract/endpoints.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { may } from '../../shell/session/may.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { Icon } from '../../ui/control/icon.tsx'

/** The first thing to do on an empty console: see what leases are for. The lab itself says if it is switched off. */
export function DemoElection() {
  const mayStart = may(useSession(), endpoints.startLabRun)
  return (
    <div>
      <h2>See a leader die, and another take over</h2>
      <p className="mut">
        Three candidates, one lease, on this Cassandra. It ends by itself after 15 minutes and leaves only its
        journal.
      </p>
      <PageLink className="btn primary lg" href={mayStart ? '/lab?start=crash' : '/lab'}>
        <Icon name="play" />
        {mayStart ? 'Start a demo election' : 'Watch the election lab'}
      </PageLink>
    </div>
  )
}
