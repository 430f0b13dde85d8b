import { Say } from '../../ui/text/say.tsx'

/** A renewal is no change of holder, and does not hinder a plan; but it is said. */
export function RenewedBeforeAct() {
  return (
    <div className="mt-3">
      <Say title="The holder renewed the lease after the plan was made.">
        So it was alive shortly before it lost the lease.
      </Say>
    </div>
  )
}
