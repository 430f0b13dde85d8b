import { isOwnerless } from '../../../lib/client/time/countdown.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { quarantineOf } from '../../../lib/contract/leases/quarantine.ts'
import { startOf } from '../../../lib/contract/text-size.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'

export const noOwnerColumn = 'this table has no owner column'

/** As much of a text as a row or a line can show; all of it stands on the lease's own page. */
const rowChars = 200

/** An owner, letter for letter; a missing one is said in the console's own voice. */
export function OwnerText({ lease }: { lease: Lease }) {
  const { owner } = lease
  if (isOwnerless(lease))
    return (
      <span className="dim" title={noOwnerColumn}>
        –
      </span>
    )
  if (owner === null) return <span className="dim">null</span>
  const quarantine = quarantineOf(owner, lease.value)
  if (quarantine !== null) {
    const { note } = quarantine
    return (
      <>
        <span className="sans">quarantine</span>
        {note !== null && (
          <span className="mut">
            {' · was '}
            <bdi className="seen">
              <SeenText text={startOf(note.was, rowChars)} ends={note.was.length <= rowChars} />
            </bdi>
          </span>
        )}
      </>
    )
  }
  return (
    <bdi className="seen">
      <SeenText text={startOf(owner, rowChars)} ends={owner.length <= rowChars} />
    </bdi>
  )
}

/** A value, as text on one line. That of a quarantined lease is a note of the console's: who broke it, and when. */
export function ValueText({ lease: { owner, value } }: { lease: Lease }) {
  const note = quarantineOf(owner, value)?.note
  if (note)
    return (
      <span className="sans">
        by {note.by}, <Instant at={note.at} />
      </span>
    )
  if (value === null) return <span className="dim">–</span>
  if (value === '') return <span className="dim sans">empty</span>
  return (
    <bdi className="seen">
      <SeenText text={startOf(value, rowChars)} ends={value.length <= rowChars} />
    </bdi>
  )
}
