'use client'

import { usePathname } from 'next/navigation'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { PageLink } from '../page-link.tsx'
import { may } from '../session/may.ts'
import { useSession } from '../session/session-context.tsx'
import { Instant } from '../time/instant.tsx'
import { useDistrust } from './use-distrust.ts'

/** On every page: the canary of a table failed, so that two programs may hold one lease of it. */
export function DistrustStrip() {
  const session = useSession()
  const isThere = usePathname() === '/settings/doctor'
  return useDistrust().map(({ id, distrust: { found, since } }) => (
    <section key={id} className="alarm" aria-label={`Alarm of the table ${id}`}>
      <Icon name="risk" />
      <div role="alert">
        <b>
          The canary of the table <span className="mono">{id}</span> failed. {found}
        </b>{' '}
        Two programs may hold one lease. The console writes nothing to this table since{' '}
        <Instant at={since} zoned />, until a canary passes. Programs that speak CQL are not stopped.
      </div>
      {may(session, endpoints.getDoctor) && !isThere && (
        <PageLink className="btn sm push" href="/settings/doctor">
          Open the doctor
        </PageLink>
      )}
    </section>
  ))
}
