import { expect, it } from 'vitest'
import { leaseStateSchema } from './lease.ts'
import { troubleStates } from './list-order.ts'

it('each state but held has its place in the order of troubles', () => {
  expect([...troubleStates, 'held'].sort()).toEqual([...leaseStateSchema.options].sort())
})
