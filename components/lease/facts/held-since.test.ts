import { expect, it } from 'vitest'
import type { LeaseEvent, NotObserved } from '../../../lib/contract/leases/history.ts'
import { heldSinceIn } from './held-since.ts'

const at = (second: number) => `2026-11-20T03:14:${String(second).padStart(2, '0')}.000Z`
const event = (kind: LeaseEvent['kind'], owner: string, second: number) =>
  ({ kind, owner, at: at(second) }) as LeaseEvent
const gap = (from: number, to: number, what: NotObserved['what'] = 'everything'): NotObserved => ({
  from: at(from),
  to: at(to),
  why: 'no-recorder',
  what,
})
const since = (
  events: LeaseEvent[],
  notObserved: NotObserved[] = [],
  before: LeaseEvent | null = null,
  owner = 'ann',
) => heldSinceIn({ events, notObserved, before }, owner)

it('is the beginning of the tenure that goes on, also of one that began before the time shown', () => {
  expect(since([event('acquired', 'ann', 20), event('released', 'ben', 10)])).toBe(Date.parse(at(20)))
  expect(since([event('asked', 'ann', 30), event('changed-hands', 'ann', 20)])).toBe(Date.parse(at(20)))
  expect(since([], [], event('acquired', 'ann', 1))).toBe(Date.parse(at(1)))
})

it('is not known of another holder, after an end, and after a time that was not observed', () => {
  expect(since([])).toBeNull()
  expect(since([event('acquired', 'ben', 20)])).toBeNull()
  expect(since([event('lost', 'ann', 30), event('acquired', 'ann', 20)])).toBeNull()
  expect(since([event('acquired', 'ann', 20)], [gap(25, 30)])).toBeNull()
  expect(since([event('acquired', 'ann', 20)], [gap(10, 20), gap(25, 30, 'renewals')])).toBe(
    Date.parse(at(20)),
  )
})

it('is known after a time that was not observed of an owner that is used once', () => {
  const owner = 'api-1:4711:0123456789ab:1'
  expect(since([event('acquired', owner, 20)], [gap(25, 30)], null, owner)).toBe(Date.parse(at(20)))
})
