import { expect, it } from 'vitest'
import type { Lease } from './lease.ts'
import { StandingRows } from './standing-rows.ts'

const leaseOf = (name: string) => ({ name }) as Lease

it('forgets rows that have expired, behind one that stands for a year too', () => {
  let looks = 0
  const rows = new StandingRows(({ name }) => {
    looks++
    return name !== 'for a year'
  })
  rows.add(leaseOf('for a year'))
  for (let i = 0; i < 300; i++) rows.add(leaseOf(`job/${i}`))
  looks = 0
  expect(rows.standing.map(({ name }) => name)).toEqual(['for a year'])
  expect(looks).toBeLessThan(10)
})

it('looks at a few of thousands that stand whenever one is added', () => {
  let looks = 0
  const rows = new StandingRows(() => {
    looks++
    return false
  })
  for (let i = 0; i < 4_000; i++) rows.add(leaseOf(`job/${i}`))
  expect(looks).toBeLessThan(8 * 4_000)
  expect(rows.standing).toHaveLength(4_000)
})
