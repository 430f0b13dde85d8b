import type { Deadline } from '../time/index.ts'
import type { OpenTries } from './open-tries.ts'

/** One holder's time with a lease, from acquisition to loss. Immutable: a renewal makes a new one. */
export interface Tenure {
  readonly name: string
  readonly owner: string
  readonly value: string | null
  readonly ttlSeconds: number
  /** The fencing token: writetime(owner) as read after acquiring, microseconds. null: the table has no owner column. */
  readonly token: bigint | null
  readonly deadline: Deadline
  /** Its statements that may still be applied, shared by all the tenures that a renewal makes of it. */
  readonly tries: OpenTries
}
