import { Sequence } from 'leasehold/sequence'
import type { Routes } from '../../contract/routes.ts'
import type { Block } from '../../contract/sequence.ts'
import type { Handler } from '../router.ts'

export const nextNumbers: Handler<Routes['nextNumbers']> = async (
  { params: { name }, query: { count } },
  { sequences },
) => {
  const { first, last } = await new Sequence({ store: sequences, name }).nextBlock(count)
  const body: Block = { name, count, first: first.toString(), last: last.toString() }
  return { status: 200, body }
}
