import { Sequence, type SequenceStore } from 'leasehold/sequence'
import type { Clock } from 'leasehold/time'
import type { Session } from '../../contract/people/session.ts'
import type { Block } from '../../contract/programs/sequence.ts'
import { routes } from '../../contract/routes.ts'
import { permit } from '../http/authorise.ts'

/** What sequences need. */
export interface SequenceServices {
  readonly sequences: SequenceStore
  readonly clock: Clock
}

/** `count` numbers of a sequence, which no other caller gets. @throws HttpProblem forbidden */
export async function takeNumbers(
  { sequences, clock }: SequenceServices,
  session: Session,
  name: string,
  count: number,
): Promise<Block> {
  permit(routes.nextNumbers.permission, session, clock, { name })
  const { first, last } = await new Sequence({ store: sequences, name }).nextBlock(count)
  return { name, count, first: first.toString(), last: last.toString() }
}
