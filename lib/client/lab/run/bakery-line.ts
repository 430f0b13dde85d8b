/** The customers of the bakery at one time of a run. */
import type { Entry, JournalEntry } from '../../../contract/lab/journal.ts'

export interface Customer {
  readonly id: string
  /** Of Lamport's ten; null: it has come, and taken none yet. */
  readonly step: number | null
  readonly choosing: boolean
  readonly number: string | null
  readonly waitsFor: string | null
  /** Inside, and alone. */
  readonly isServed: boolean
  readonly gone: 'left' | 'crashed' | null
  /** It stands still, or its statements do not arrive. */
  readonly stopped: 'paused' | 'cut' | null
}

/** In the order in which they are served: by number, and among the same numbers by id; those without a number last. */
export function bakeryLine(entries: readonly JournalEntry[], atMs: number | null): Customer[] {
  const customers = new Map<string, Customer>()
  const set = (id: string, over: Partial<Customer>) =>
    customers.set(id, { ...(customers.get(id) ?? newCustomer(id)), ...over })
  for (const entry of entries) {
    if (atMs !== null && entry.atMs > atMs) break
    if (entry.kind === 'joined') set(entry.candidate, { gone: null, stopped: null })
    else if (entry.kind === 'left') set(entry.candidate, { gone: 'left' })
    else if (entry.kind === 'fault' && entry.fault === 'crashed') set(entry.candidate, { gone: 'crashed' })
    else if (entry.kind === 'fault' && (entry.fault === 'paused' || entry.fault === 'cut'))
      set(entry.candidate, { stopped: entry.on ? entry.fault : null })
    else if (entry.kind === 'bakery') set(entry.candidate, stateOf(entry))
  }
  return [...customers.values()].toSorted(inLine)
}

const newCustomer = (id: string): Customer => ({
  id,
  step: null,
  choosing: false,
  number: null,
  waitsFor: null,
  isServed: false,
  gone: null,
  stopped: null,
})

const stateOf = ({ step, choosing, number, waitsFor }: Entry<'bakery'>): Partial<Customer> => ({
  step,
  choosing,
  number,
  waitsFor,
  isServed: step === 10 && number !== null && number !== '0',
})

function inLine(a: Customer, b: Customer): number {
  const gone = Number(a.gone !== null) - Number(b.gone !== null)
  if (gone !== 0) return gone
  const place = ({ number }: Customer) =>
    number === null || number === '0' ? Number.POSITIVE_INFINITY : Number(number)
  if (place(a) !== place(b)) return place(a) < place(b) ? -1 : 1
  return a.id < b.id ? -1 : 1
}
