import type { Row } from '../../../lib/client/row/row-board.ts'
import { isOwnerless } from '../../../lib/client/time/countdown.ts'
import { noOwnerColumn } from './cell-text.tsx'

/** Why a row of this state cannot be released; null: it can be tried. */
export function releaseLock({ lease, state }: Row): string | null {
  if (isOwnerless(lease)) return noOwnerColumn
  if (state === 'zombie') return 'it has no owner'
  if (state === 'quarantined') return 'it is quarantined until its old holder must have stopped'
  return null
}
