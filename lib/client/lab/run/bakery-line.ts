/** The customers of the bakery at one time of a run. */
import type { Entry, JournalEntry } from '../../../contract/lab/journal.ts'
import { BakeryRegister, clearsNumber } from './bakery-registers.ts'

export interface Customer {
  readonly id: string
  /** Of Lamport's ten; null: it is outside. */
  readonly step: number | null
  readonly choosing: boolean
  /** As long as Cassandra shows it. */
  readonly number: string | null
  /** It had a number, which Cassandra shows no longer: the place in the line is lost. */
  readonly hasExpired: boolean
  readonly waitsFor: string | null
  /** Inside, and alone. */
  readonly isServed: boolean
  /** Between two visits. */
  readonly isAway: boolean
  readonly gone: 'left' | 'crashed' | null
  /** It stands still, or its statements do not arrive. */
  readonly stopped: 'paused' | 'cut' | null
}

/** Up to `atMs`; or the present, which is `nowMs`. `hasEnded`: the run has, also where the journal has no end. */
type When = { readonly atMs: number } | { readonly nowMs: number; readonly hasEnded?: boolean }

/** In the order in which they are served: by number, and among the same numbers by the id of the visit; those without a number last. */
export function bakeryLine(entries: readonly JournalEntry[], when: When): Customer[] {
  const customers = new Map<string, Customer>()
  const [numbers, flags] = [new BakeryRegister('number'), new BakeryRegister('choosing')]
  // They leave with the run, and what they clear then is not waited for.
  const allLeave = () => {
    for (const { id, gone } of [...customers.values()]) if (gone === null) set(id, outside)
  }
  const set = (id: string, over: Partial<Customer>) =>
    customers.set(id, { ...(customers.get(id) ?? newCustomer(id)), ...over })
  for (const entry of entries) {
    if ('atMs' in when && entry.atMs > when.atMs) break
    numbers.take(entry)
    flags.take(entry)
    if (entry.kind === 'joined') set(entry.candidate, newCustomer(entry.candidate))
    else if (entry.kind === 'left') set(entry.candidate, { gone: 'left' })
    else if (entry.kind === 'fault' && entry.fault === 'crashed') set(entry.candidate, { gone: 'crashed' })
    else if (entry.kind === 'fault' && (entry.fault === 'paused' || entry.fault === 'cut'))
      set(entry.candidate, { stopped: entry.on ? entry.fault : null })
    else if (entry.kind === 'bakery') set(entry.candidate, stateOf(entry))
    // The next one may be inside before the answer to that comes.
    else if (entry.kind === 'sent' && clearsNumber(entry))
      set(entry.by, { step: null, waitsFor: null, isServed: false, isAway: true })
    else if (entry.kind === 'ended') allLeave()
  }
  if ('nowMs' in when && when.hasEnded === true) allLeave()
  const nowMs = 'atMs' in when ? when.atMs : when.nowMs
  const shown = (customer: Customer): Customer => {
    const choosing = customer.choosing && flags.goneAt(customer.id, nowMs) === null
    const gone = customer.number === null ? null : numbers.goneAt(customer.id, nowMs)
    if (gone === null) return { ...customer, choosing }
    return { ...customer, ...noPlace, choosing, hasExpired: gone === 'expired' }
  }
  return [...customers.values()].map(shown).toSorted((a, b) => inLine(a, b, numbers))
}

const noPlace = { step: null, number: null, waitsFor: null, isServed: false }
const outside = { ...noPlace, choosing: false, isAway: true }

const newCustomer = (id: string): Customer => ({
  ...noPlace,
  id,
  choosing: false,
  hasExpired: false,
  isAway: false,
  gone: null,
  stopped: null,
})

const stateOf = ({ step, choosing, number, waitsFor }: Entry<'bakery'>): Partial<Customer> => {
  // The last of its ten steps: it has set its number to 0, and goes.
  const isAway = step === 10 && number === null
  return { step: isAway ? null : step, choosing, number, waitsFor, isAway, isServed: step === 10 && !isAway }
}

function inLine(a: Customer, b: Customer, numbers: BakeryRegister): number {
  const gone = Number(a.gone !== null) - Number(b.gone !== null)
  if (gone !== 0) return gone
  const place = ({ number }: Customer) => (number === null ? Number.POSITIVE_INFINITY : Number(number))
  if (place(a) !== place(b)) return place(a) < place(b) ? -1 : 1
  const [visitA, visitB] = [numbers.visitOf(a.id), numbers.visitOf(b.id)]
  if (a.number !== null && visitA !== null && visitB !== null) return visitA < visitB ? -1 : 1
  return a.id < b.id ? -1 : 1
}
