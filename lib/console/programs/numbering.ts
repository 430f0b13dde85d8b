import { Sequence, type SequenceStore } from 'leasehold/sequence'
import type { Session } from '../../contract/people/session.ts'
import type { Block } from '../../contract/programs/sequence.ts'
import { routes } from '../../contract/routes.ts'
import { permit } from '../http/authorise.ts'

/** What sequences need. */
export interface SequenceServices {
  readonly sequences: SequenceStore
}

/** `count` numbers of a sequence, which no other caller gets. @throws HttpProblem forbidden */
export async function takeNumbers(
  { sequences }: SequenceServices,
  session: Session,
  name: string,
  count: number,
): Promise<Block> {
  permit(routes.nextNumbers.permission, session, { name })
  const { first, last } = await new Sequence({ store: sequences, name }).nextBlock(count)
  return { name, count, first: first.toString(), last: last.toString() }
}
