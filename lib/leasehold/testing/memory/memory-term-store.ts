import type { Term, TermAnswer, TermStore } from '../../election/index.ts'
import { StatementUnknownError, StoreUnavailableError } from '../../lease/index.ts'
import type { FakeClock } from '../fake-clock.ts'
import type { Fault } from './memory-store.ts'

/** A store of terms in memory, with the faults of `MemoryLeaseStore`. */
export class MemoryTermStore implements TermStore {
  /** Called before every statement; undefined: no fault. */
  fault: (kind: 'read' | 'begin') => Fault | undefined = () => undefined
  /** Every term that was written, in the order of the writes. */
  readonly history: (Term & { readonly group: string })[] = []
  readonly #clock: FakeClock
  readonly #terms = new Map<string, Term>()

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  async read(group: string): Promise<Term | null> {
    const fault = this.fault('read')
    await Promise.resolve()
    if (fault?.kind === 'unavailable')
      throw new StoreUnavailableError('No node answers (by order of the test).')
    return this.#terms.get(group) ?? null
  }

  async begin(group: string, from: bigint | null, next: Term): Promise<TermAnswer> {
    const fault = this.fault('begin')
    await Promise.resolve()
    if (fault?.kind === 'unavailable')
      throw new StoreUnavailableError('No node answers (by order of the test).')
    const write = (): TermAnswer => {
      const found = this.#terms.get(group)?.term ?? null
      if (found !== from) return { applied: false, found }
      this.#terms.set(group, next)
      this.history.push({ group, ...next })
      return { applied: true }
    }
    if (fault === undefined) return write()
    if (fault.kind === 'late') this.#clock.sleep(fault.afterMs).then(write)
    if (fault.kind === 'lost' && fault.applied) write()
    const finality = fault.kind === 'lost' ? fault.finality : 'never'
    throw new StatementUnknownError('No answer came (by order of the test).', finality)
  }
}
