import { Sequence } from 'leasehold/sequence'
import { routes } from '../../contract/routes.ts'
import type { Block } from '../../contract/sequence.ts'
import type { Session } from '../../contract/session.ts'
import { permit } from '../http/authorise.ts'
import type { ConsoleContext } from '../start/context.ts'

/** `count` numbers of a sequence that nobody else gets, for whoever may have them. @throws HttpProblem */
export async function takeNumbers(
  { sequences }: ConsoleContext,
  session: Session,
  name: string,
  count: number,
): Promise<Block> {
  permit(routes.nextNumbers.permission, session, name)
  const { first, last } = await new Sequence({ store: sequences, name }).nextBlock(count)
  return { name, count, first: first.toString(), last: last.toString() }
}
