import { expect, it } from 'vitest'
import { leaseStateSchema } from '../../contract/leases/lease.ts'
import { leaseSorts } from '../../contract/leases/list-order.ts'
import { watchQuerySchema } from '../../contract/leases/watch.ts'
import { filterStates, toggledStates, viewKey, viewOf, viewQuery, windowAt } from './lease-view.ts'

const of = (query: string) => viewOf((name) => new URLSearchParams(query).get(name))

it('a view is what its URL says, the worst first unless that says otherwise', () => {
  expect(of('')).toEqual({
    table: undefined,
    prefix: '',
    q: '',
    owner: '',
    states: [],
    sort: 'trouble',
    order: 'asc',
  })
  expect(of('table=cron&q=a&prefix=b&owner=c&state=zombie,risk&sort=held&order=desc')).toEqual({
    table: 'cron',
    prefix: 'b',
    q: 'a',
    owner: 'c',
    states: ['risk', 'zombie'],
    sort: 'held',
    order: 'desc',
  })
  expect(viewKey(of('state=zombie,risk&table=leases'))).toBe(viewKey(of('state=risk,zombie')))
})

it('what a URL asks for and does not exist is left out', () => {
  expect(of('sort=colour&order=up&state=dead,risk')).toMatchObject({
    sort: 'trouble',
    order: 'asc',
    states: ['risk'],
  })
})

it('each view can be asked for, and each state and sort of the contract is one of a view', () => {
  for (const sort of leaseSorts) expect(of(`sort=${sort}`).sort).toBe(sort)
  expect([...filterStates].sort()).toEqual([...leaseStateSchema.options].sort())
  const asked = { ...viewQuery(of('state=risk,zombie&q=x')), ...windowAt(1000, 30) }
  expect(watchQuerySchema.parse(asked)).toMatchObject({ state: ['risk', 'zombie'], q: 'x', offset: 975 })
})

it('a state that is pressed comes to the filter or leaves it; all of them are no filter', () => {
  expect(toggledStates([], 'zombie')).toBe('zombie')
  expect(toggledStates(['zombie'], 'risk')).toBe('risk,zombie')
  expect(toggledStates(['risk', 'zombie'], 'risk')).toBe('zombie')
  expect(toggledStates(['zombie'], 'zombie')).toBeUndefined()
  expect(
    toggledStates(['held', 'quarantined', 'zombie', 'partial', 'eternal', 'flapping'], 'risk'),
  ).toBeUndefined()
})

it('a window has all rows of the screen, wherever it stands', () => {
  for (let first = 0; first < 300; first++)
    for (const visible of [3, 25, 60]) {
      const { offset, limit } = windowAt(first, visible)
      expect(offset).toBeLessThanOrEqual(first)
      expect(offset + limit).toBeGreaterThanOrEqual(first + visible + 1)
    }
  expect(windowAt(0, 20)).toEqual({ offset: 0, limit: 75 })
  expect(windowAt(99_990, 500).limit).toBe(200)
})
