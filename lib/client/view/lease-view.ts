/** Which leases a page shows, in which order. Its URL has all of it. */
import type { LeaseStateName } from '../../contract/leases/lease.ts'
import { type LeaseSort, leaseSorts, troubleStates } from '../../contract/leases/list-order.ts'
import type { WatchQuery } from '../../contract/leases/watch.ts'

export type SortOrder = WatchQuery['order']

/** In the order of their filters, which is that of their keys. */
export const filterStates = [
  'held',
  'risk',
  'quarantined',
  'zombie',
  'partial',
  'eternal',
  'flapping',
] as const satisfies readonly LeaseStateName[]

export interface LeaseView {
  /** undefined: the usual one. */
  table: string | undefined
  /** Only the lease of exactly this name. */
  name?: string
  prefix: string
  q: string
  owner: string
  /** Empty: all. */
  states: readonly LeaseStateName[]
  sort: LeaseSort
  order: SortOrder
}

/** A part of a view: at most `limit` rows, from the row number `offset` on. */
export interface LeaseWindow {
  offset: number
  limit: number
}

/** A view as `GET /v1/leases` and `GET /v1/watch` are asked for it. */
export const viewQuery = ({ table, name, prefix, q, owner, states, sort, order }: LeaseView) => ({
  table,
  name,
  prefix: prefix || undefined,
  q: q || undefined,
  owner: owner || undefined,
  state: states.length === 0 ? undefined : states.join(','),
  sort,
  order,
})

/** The same for every way to write the same view. */
export const viewKey = (view: LeaseView): string => JSON.stringify(viewQuery(view))

/** The view that a URL asks for. What it does not know of is left out: an old link still opens. */
export function viewOf(param: (name: string) => string | null | undefined): LeaseView {
  const table = param('table')
  const asked = (param('state') ?? '').split(',')
  const sort = leaseSorts.find((each) => each === param('sort')) ?? 'trouble'
  return {
    table: table && table !== 'leases' ? table : undefined,
    prefix: param('prefix') ?? '',
    q: param('q') ?? '',
    owner: param('owner') ?? '',
    states: filterStates.filter((state) => asked.includes(state)),
    sort,
    order: param('order') === 'desc' ? 'desc' : 'asc',
  }
}

/** The leases of a table that a person should look at, the worst first. */
export const troubleView = (table: string | undefined): LeaseView => ({
  table,
  prefix: '',
  q: '',
  owner: '',
  states: troubleStates,
  sort: 'trouble',
  order: 'asc',
})

/** One lease, whatever its state. */
export const nameView = (table: string | undefined, name: string): LeaseView => ({
  ...troubleView(table),
  name,
  states: [],
})

/** The filter, as a URL has it, after a state was pressed: with that state, or without it. undefined: all states. */
export function toggledStates(states: readonly LeaseStateName[], state: LeaseStateName): string | undefined {
  const next = filterStates.filter((each) => (each === state) !== states.includes(each))
  return next.length === 0 || next.length === filterStates.length ? undefined : next.join(',')
}

/** Whether the view lets through each row of its table. */
export const isWholeTable = ({ name, prefix, q, owner }: LeaseView): boolean =>
  name === undefined && prefix === '' && q === '' && owner === ''

/** Windows begin at multiples of this, so that a step of the scroll does not ask for another one. */
const stepRows = 25
const limitMax = 200

/**
 * The window for a screen that shows `visible` rows from `first` on, with a few more to scroll into: the server reads the
 * rows of windows at SERIAL, within a budget.
 * @example windowAt(120, 20) // { offset: 75, limit: 75 }
 */
export function windowAt(first: number, visible: number): LeaseWindow {
  const offset = Math.max(0, Math.floor(first / stepRows) - 1) * stepRows
  const limit = Math.ceil((visible + 2 * stepRows) / stepRows) * stepRows
  return { offset, limit: Math.min(limitMax, limit) }
}
