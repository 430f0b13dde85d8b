import { type Role, roles } from '../../lib/contract/people/rights.ts'
import type { Act } from './entries/act-of.ts'

interface Rights {
  role: Role | undefined
  disabled: boolean | undefined
}

/** What an entry says of a user's rights; null: nothing, as that of a refusal. */
function rightsIn(said: unknown): Rights | null {
  if (typeof said !== 'object' || said === null) return null
  const role = 'role' in said ? roles.find((each) => each === said.role) : undefined
  const disabled = 'disabled' in said && typeof said.disabled === 'boolean' ? said.disabled : undefined
  return role === undefined && disabled === undefined ? null : { role, disabled }
}

/** What an act on a user changes of that user's rights, or would have, had it not been refused. null: nothing that is known. */
export function changedRights(act: Act): string | null {
  const { act: kind } = act[0].event
  if (kind !== 'user-create' && kind !== 'user-change') return null
  const newest = act.find(({ event }) => rightsIn(event.after) !== null)?.event
  const after = rightsIn(newest?.after)
  if (after === null) return null
  const before = rightsIn(newest?.before)
  const words = [roleWords(before?.role, after.role), disabledWord(before?.disabled, after.disabled)]
  return words.filter((word) => word !== null).join('; ') || null
}

function roleWords(before: Rights['role'], after: Rights['role']): string | null {
  if (after === undefined || after === before) return null
  return before === undefined ? `role ${after}` : `role ${after}, was ${before}`
}

function disabledWord(before: boolean | undefined, after: boolean | undefined): string | null {
  if (after === undefined || after === before) return null
  return after ? 'disabled' : 'enabled'
}
