import { isOwnerless } from '../../lib/client/countdown.ts'
import type { Lease } from '../../lib/contract/lease.ts'
import { reservedOwnerMark } from '../../lib/contract/text.ts'
import { SeenText } from '../ui/seen-text.tsx'

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
  if (owner.startsWith(reservedOwnerMark))
    return (
      <>
        quarantine ·{' '}
        <bdi className="seen mut">
          <SeenText text={owner.slice(0, rowChars)} ends={owner.length <= rowChars} />
        </bdi>
      </>
    )
  return (
    <bdi className="seen">
      <SeenText text={owner.slice(0, rowChars)} ends={owner.length <= rowChars} />
    </bdi>
  )
}

/** A value, as text on one line. */
export function ValueText({ value }: { value: string | null }) {
  if (value === null) return <span className="dim">–</span>
  if (value === '') return <span className="dim sans">empty</span>
  return (
    <bdi className="seen">
      <SeenText text={value.slice(0, rowChars)} ends={value.length <= rowChars} />
    </bdi>
  )
}
