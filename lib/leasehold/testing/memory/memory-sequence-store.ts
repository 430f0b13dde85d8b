import { StatementUnknownError, StoreUnavailableError } from '../../lease/index.ts'
import { checkNext, type SequenceAnswer, type SequenceStore } from '../../sequence/index.ts'
import type { FakeClock } from '../fake-clock.ts'
import type { Fault } from './memory-store.ts'

/** A sequence store in memory, with the faults of `MemoryLeaseStore`. */
export class MemorySequenceStore implements SequenceStore {
  /** Called before every statement; undefined: no fault. */
  fault: (kind: 'read' | 'advance') => Fault | undefined = () => undefined
  /** The number of conditional writes. */
  advances = 0
  readonly #clock: FakeClock
  readonly #next = new Map<string, bigint>()

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  async read(name: string): Promise<bigint | null> {
    const fault = this.fault('read')
    await Promise.resolve()
    if (fault?.kind === 'unavailable')
      throw new StoreUnavailableError('No node answers (by order of the test).')
    return this.#next.get(name) ?? null
  }

  async advance(name: string, from: bigint | null, to: bigint): Promise<SequenceAnswer> {
    checkNext(name, to)
    this.advances++
    const fault = this.fault('advance')
    await Promise.resolve()
    if (fault?.kind === 'unavailable')
      throw new StoreUnavailableError('No node answers (by order of the test).')
    const write = (): SequenceAnswer => {
      const found = this.#next.get(name) ?? null
      if (found !== from) return { applied: false, found }
      this.#next.set(name, to)
      return { applied: true }
    }
    if (fault === undefined) return write()
    if (fault.kind === 'late') this.#clock.sleep(fault.afterMs).then(write)
    if (fault.kind === 'lost' && fault.applied) write()
    const finality = fault.kind === 'lost' ? fault.finality : 'never'
    throw new StatementUnknownError('No answer came (by order of the test).', finality)
  }
}
