/**
 * Whether one correct lease could have given what was observed of it: a search for an order of all operations, each at
 * one moment between its call and its answer, in which every answer is true.
 *
 * The lease is a register that holds an owner, or none. An operation that must have happened stands in the order; one
 * whose outcome is unknown may. A row may also expire, at any time at which no holder was promised it. Nodes whose clocks
 * differ do not see that at one moment: for as long as they differ, one of them may still show a row that another has
 * shown as expired, unless it was written since.
 *
 * The search is that of Wing and Gong in Lowe's form: operations are put in order as late as possible, when they end,
 * and all states that are possible then are kept. Owner ids are used once, so there are few.
 */
export type Action =
  /** Sets the owner of a lease that has none. */
  | { readonly does: 'take'; readonly owner: string }
  /** Puts the mark of a quarantine in the place of an owner. */
  | { readonly does: 'mark'; readonly owner: string }
  | { readonly does: 'drop'; readonly owner: string }
  /** Shows the owner; null: there is none. */
  | { readonly does: 'show'; readonly owner: string | null }

export interface RegisterOperation {
  readonly action: Action
  readonly fromMs: number
  /** Infinity: it may still happen. */
  readonly untilMs: number
  /** Whether it surely happened; else it may have. */
  readonly happened: boolean
  /** What it was in the history, for the evidence. */
  readonly source: object
}

interface RegisterRules {
  /** Whether the row of this owner may expire by itself, for an operation between these times. */
  mayExpire(owner: string, fromMs: number, untilMs: number): boolean
  /** How far the nodes' clocks were apart. */
  readonly skewMs: number
}

export type Judgement =
  | { readonly kind: 'possible' }
  /** `at`: the first operation that fits into no order. `states`: the owners that were possible before it. */
  | { readonly kind: 'impossible'; readonly at: RegisterOperation; readonly states: (string | null)[] }
  /** Too many orders are possible to try them all. */
  | { readonly kind: 'undecided' }

interface State {
  readonly owner: string | null
  /** The row that expired, and until when a node whose clock is behind may show it. null: it was not by expiry that it went. */
  readonly expired: { readonly owner: string; readonly untilMs: number } | null
  /** Operations that have not ended, and stand in the order already. */
  readonly placed: ReadonlySet<number>
}

/** Steps of the search for one operation, after which it gives up. */
const stepsMax = 50_000

export function judge(all: readonly RegisterOperation[], rules: RegisterRules): Judgement {
  const ends = all.map((_, i) => i).toSorted((a, b) => untilOf(all, a) - untilOf(all, b))
  const begins = all.map((_, i) => i).toSorted((a, b) => at(all, a).fromMs - at(all, b).fromMs)
  let begun = 0
  const open = new Set<number>()
  let states = new Map<string, State>([['', { owner: null, expired: null, placed: new Set() }]])
  const search = { all, open, rules, stepsLeft: 0 }
  for (const ending of ends) {
    const operation = at(all, ending)
    if (operation.untilMs === Number.POSITIVE_INFINITY) break
    for (; begun < begins.length && at(all, begins[begun] as number).fromMs <= operation.untilMs; begun++)
      open.add(begins[begun] as number)
    const next = new Map<string, State>()
    search.stepsLeft = stepsMax
    for (const state of states.values()) {
      if (!state.placed.has(ending))
        for (const after of placing(ending, state, search)) keep(next, after, ending)
      if (!operation.happened || state.placed.has(ending)) keep(next, state, ending)
      if (search.stepsLeft <= 0) return { kind: 'undecided' }
    }
    if (next.size === 0)
      return {
        kind: 'impossible',
        at: operation,
        states: [...new Set([...states.values()].map(({ owner }) => owner))],
      }
    open.delete(ending)
    states = next
  }
  return { kind: 'possible' }
}

const at = (all: readonly RegisterOperation[], i: number) => all[i] as RegisterOperation
const untilOf = (all: readonly RegisterOperation[], i: number) => at(all, i).untilMs

function keep(states: Map<string, State>, state: State, ended: number): void {
  const placed = new Set(state.placed)
  placed.delete(ended)
  const kept = { ...state, placed }
  states.set(keyOf(kept), kept)
}

const keyOf = ({ owner, expired, placed }: State): string =>
  JSON.stringify([owner, expired?.owner, expired?.untilMs, ...[...placed].toSorted((a, b) => a - b)])

interface Search {
  readonly all: readonly RegisterOperation[]
  /** Operations that have begun and not ended. */
  readonly open: ReadonlySet<number>
  readonly rules: RegisterRules
  stepsLeft: number
}

/** The states after all orders of open operations that end with this one. */
function placing(last: number, from: State, search: Search): State[] {
  const { all, open, rules } = search
  const found: State[] = []
  const { fromMs, untilMs } = at(all, last)
  const seen = new Set<string>()
  const visit = ({ owner, expired, placed: before }: State): void => {
    // An answer that shows this owner is true now: it stands here, and forbids nothing later.
    const shown = [...open].filter((i) => !before.has(i) && shows(at(all, i).action, owner))
    const placed = shown.length === 0 ? before : new Set([...before, ...shown])
    if (shown.includes(last)) found.push({ owner, expired, placed })
    const key = keyOf({ owner, expired, placed })
    if (seen.has(key) || search.stepsLeft-- <= 0) return
    seen.add(key)
    if (owner !== null && rules.mayExpire(owner, fromMs, untilMs)) {
      // What came back may expire again: the time in which it can come back began when it expired first.
      const endsMs = expired?.owner === owner ? expired.untilMs : untilMs + rules.skewMs
      visit({ owner: null, expired: rules.skewMs > 0 ? { owner, untilMs: endsMs } : null, placed })
    }
    if (owner === null && expired !== null && fromMs <= expired.untilMs)
      visit({ owner: expired.owner, expired, placed })
    for (const i of open) {
      if (placed.has(i)) continue
      const after = applied(at(all, i).action, owner)
      if (after === undefined) continue
      const next = { owner: after, expired: null, placed: new Set(placed).add(i) }
      if (i === last) found.push(next)
      else visit(next)
    }
  }
  visit(from)
  return found
}

const shows = (action: Action, owner: string | null): boolean =>
  action.does === 'show' && action.owner === owner

/** The owner after a write; undefined: it cannot take effect now. */
function applied(action: Action, owner: string | null): string | null | undefined {
  switch (action.does) {
    case 'take':
      return owner === null ? action.owner : undefined
    case 'mark':
      return owner === null ? undefined : action.owner
    case 'drop':
      return owner === action.owner ? null : undefined
    case 'show':
      return undefined
  }
}
