import type { ReactNode } from 'react'
import type { Lane, LanesPicture } from '../../../lib/client/lab/lanes/lanes.ts'
import { laneFacts } from '../../../lib/client/lab/window/lane-facts.ts'
import { laneTitle } from './lane-icons.ts'

/** Of each list the last so many: a run may have hundreds of terms. */
const listed = 5

interface LanesTableProps {
  picture: LanesPicture
  controls?: ((lane: Lane) => ReactNode) | undefined
}

/** The whole run up to the time that is shown, in words. */
export function LanesTable({ picture, controls }: LanesTableProps) {
  return (
    <div className="lanes-table">
      <table>
        <caption className="vh">Candidates, and what each did</caption>
        <thead>
          <tr>
            <th scope="col">Candidate</th>
            <th scope="col">Leads by Cassandra</th>
            <th scope="col">Believes to lead</th>
            <th scope="col">Stopped or cut off</th>
            <th scope="col">Tries</th>
            <th scope="col">Renewals</th>
            <th scope="col">What happened</th>
          </tr>
        </thead>
        <tbody>
          {picture.lanes.map((lane) => {
            const facts = laneFacts(lane)
            return (
              <tr key={lane.id} aria-label={`${laneTitle(lane.id)}: ${lane.words}`}>
                <th scope="row">
                  <b className="mono">{lane.id}</b> {lane.words}
                  {controls?.(lane)}
                </th>
                <Facts head="Leads by Cassandra" all={facts.leads} />
                <Facts head="Believes to lead" all={facts.believes} />
                <Facts head="Stopped or cut off" all={facts.stops} />
                <Facts head="Tries" all={[facts.tries]} />
                <Facts head="Renewals" all={[facts.renewals]} />
                <Facts head="What happened" all={facts.marks} />
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** `head` stands before the facts where the table is too narrow for columns. */
function Facts({ head, all }: { head: string; all: readonly string[] }) {
  const earlier = all.length - listed
  return (
    <td data-head={head}>
      {all.length === 0 ? (
        <span className="dim">–</span>
      ) : (
        <ul>
          {earlier > 0 && <li className="dim">{earlier} earlier</li>}
          {all.slice(-listed).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
    </td>
  )
}
