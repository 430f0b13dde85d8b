import { z } from 'zod'
import { type LeaseStateName, leaseStateSchema } from '../../../contract/leases/lease.ts'
import { type LeaseSort, troubleStates } from '../../../contract/leases/list-order.ts'
import { startOf } from '../../../contract/text-size.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { cursorTo, placeIn } from '../../http/request/cursor.ts'
import type { Compare } from './sorted-list.ts'
import type { WatchedRow } from './watched-row.ts'

export type LeaseOrder = 'asc' | 'desc'

/** What any order of rows looks at. */
export type Placed = Pick<WatchedRow, 'name' | 'owner' | 'state' | 'expiresAtMs' | 'heldSinceMs'>

const states: readonly LeaseStateName[] = [...troubleStates, 'held']
const troubleOf = new Map(states.map((state, rank) => [state, rank]))

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
const byName: Compare<Placed> = (one, other) => byText(one.name, other.name)
/** What never ends comes last. By the expiry and not by what is left, which would be another order every moment. */
const byLeft: Compare<Placed> = (one, other) =>
  one.expiresAtMs === other.expiresAtMs
    ? 0
    : (one.expiresAtMs ?? Number.POSITIVE_INFINITY) - (other.expiresAtMs ?? Number.POSITIVE_INFINITY)
/** The shortest tenure first. Those that began before they were watched are the longest. */
const byHeld: Compare<Placed> = (one, other) =>
  one.heldSinceMs === other.heldSinceMs
    ? 0
    : (other.heldSinceMs ?? Number.NEGATIVE_INFINITY) - (one.heldSinceMs ?? Number.NEGATIVE_INFINITY)
const byTrouble: Compare<Placed> = (one, other) =>
  (troubleOf.get(one.state) as number) - (troubleOf.get(other.state) as number) || byLeft(one, other)
const byOwner: Compare<Placed> = (one, other) => byText(one.owner ?? '', other.owner ?? '')

/** Ascending; each ends with the name, so that no two rows are equal. */
export const leaseOrders: Record<LeaseSort, Compare<Placed>> = {
  trouble: (one, other) => byTrouble(one, other) || byName(one, other),
  left: (one, other) => byLeft(one, other) || byName(one, other),
  name: byName,
  owner: (one, other) => byOwner(one, other) || byName(one, other),
  held: (one, other) => byHeld(one, other) || byName(one, other),
}

const cursorSchema = z.tuple([
  z.literal(2),
  z.string(),
  z.string(),
  z.string().nullable(),
  leaseStateSchema,
  z.number().nullable(),
  z.number().nullable(),
])

const kindOf = (sort: LeaseSort, order: LeaseOrder) => `${sort} ${order}`

/**
 * As many characters of a name or an owner as a cursor holds. A cursor stands in a URL, and both may be longer than one: the next page
 * goes on behind all rows whose text begins so.
 */
const placeChars = 600
/** Behind each text that begins as the one before it. */
const lastCharacter = '\uffff'

function placeText(text: string, order: LeaseOrder): string {
  if (text.length <= placeChars) return text
  return startOf(text, placeChars) + (order === 'asc' ? lastCharacter : '')
}

/** An opaque place in a list: where this row is, whether it is still there or not. */
export function cursorAt(sort: LeaseSort, order: LeaseOrder, row: Placed): string {
  const { name, owner, state, expiresAtMs, heldSinceMs } = row
  const place: z.infer<typeof cursorSchema> = [
    2,
    kindOf(sort, order),
    placeText(name, order),
    sort === 'owner' && owner !== null ? placeText(owner, order) : null,
    state,
    expiresAtMs,
    heldSinceMs,
  ]
  return cursorTo(place)
}

/** @throws HttpProblem on anything that no list of this order handed out */
export function placeOf(cursor: string, sort: LeaseSort, order: LeaseOrder): Placed {
  const [, kind, name, owner, state, expiresAtMs, heldSinceMs] = placeIn(cursor, cursorSchema, 'list')
  if (kind !== kindOf(sort, order))
    throw new HttpProblem('bad-request', 'The cursor is of a list in another order. Start again without it.')
  return { name, owner, state, expiresAtMs, heldSinceMs }
}
