// biome-ignore-all lint/a11y/useSemanticElements: rows and cells are grids, which no tr can be
// biome-ignore-all lint/a11y/useFocusableInteractive: the link in a row takes the focus, not the row
import { endpoints } from '../../lib/contract/endpoints.ts'
import type { ClocksApart } from '../../lib/contract/leases/cluster.ts'
import { StateWord } from '../leases/row/lease-state-map.tsx'
import { PageLink } from '../shell/page-link.tsx'
import { may } from '../shell/session/may.ts'
import { useSession } from '../shell/session/session-context.tsx'
import { Instant } from '../shell/time/instant.tsx'

/** The one row that is no lease: while the nodes' clocks are apart, no lease can be relied on. */
export function ClocksRow({ of: { found, whatToDo, since } }: { of: ClocksApart }) {
  const session = useSession()
  return (
    <div role="row" data-state="clocks-apart" className="tall arrived">
      <span role="cell" className="state">
        <StateWord state="clocks-apart" />
      </span>
      <span role="cell" className="cut">
        {may(session, endpoints.getDoctor) ? (
          <PageLink href="/settings/doctor">All nodes: open the doctor</PageLink>
        ) : (
          'All nodes'
        )}
      </span>
      <span role="cell">{found}</span>
      <span role="cell" className="mut">
        since <Instant at={since} />
      </span>
      <span role="cell" className="mut">
        {whatToDo}
      </span>
      <span role="cell" className="dim" />
    </div>
  )
}
