'use client'

import { listPath } from '../leases/address/lease-link.ts'
import { Appears, type UntilWhen, untilWhen } from '../leases/no-rows/until-when.tsx'
import { PageLink } from '../shell/page-link.tsx'

/** All that the page would show was read, and there is nothing. */
export function NoTrouble({ table, ...until }: UntilWhen & { table: string | undefined }) {
  const when = untilWhen(until)
  return (
    <div className="plain" role="status">
      <h2>{when === null ? 'No lease needs attention.' : `No lease needed attention ${when}.`}</h2>
      <p className="mut">
        <Appears {...until}>A lease that needs attention appears here by itself.</Appears>
      </p>
      <PageLink className="btn" href={listPath(table)}>
        All leases
      </PageLink>
    </div>
  )
}
