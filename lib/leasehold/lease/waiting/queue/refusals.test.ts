import { expect, it } from 'vitest'
import { FakeClock } from '../../../testing/index.ts'
import { ClosedError, InvalidArgumentError, StoreRefusedError, StoreUnavailableError } from '../../errors.ts'
import { Refusals } from './refusals.ts'

const refused = (message = 'The server answers 403.') => new StoreRefusedError(message)

it('counts for one name, and for a minute', async () => {
  const clock = new FakeClock()
  const refusals = new Refusals(clock)
  refusals.note('one', refused())
  expect([refusals.has('one'), refusals.has('other')]).toEqual([true, false])
  await clock.advance(59_999)
  expect(refusals.has('one')).toBe(true)
  await clock.advance(1)
  expect(refusals.has('one')).toBe(false)
})

it.each([
  ['Cassandra refused: table lock_tickets does not exist', true],
  ['Cassandra refused: keyspace leasehold does not exist', true],
  ['Cassandra refused: unconfigured table lock_tickets', true],
  [
    'Cassandra refused: User p has no SELECT permission on <table leasehold.lock_tickets> or any of its parents',
    false,
  ],
  ['The canary of this table failed.', false],
])('“%s” counts for all names: %s', (message, forAll) => {
  const refusals = new Refusals(new FakeClock())
  refusals.note('one', refused(message))
  expect(refusals.has('other')).toBe(forAll)
})

it('is a ticket from a clock too far ahead, too', () => {
  const refusals = new Refusals(new FakeClock())
  refusals.note('one', new InvalidArgumentError('number is more than 60 s ahead'))
  expect([refusals.has('one'), refusals.has('other')]).toEqual([true, false])
})

it('is no other error', () => {
  const refusals = new Refusals(new FakeClock())
  for (const error of [new StoreUnavailableError('no quorum'), new ClosedError(), new Error('a bug')])
    refusals.note('one', error)
  expect(refusals.has('one')).toBe(false)
})

it('of a thousand names are remembered, and the oldest is forgotten first', () => {
  const refusals = new Refusals(new FakeClock())
  for (let name = 0; name <= 1_000; name++) refusals.note(String(name), refused())
  expect([0, 500, 1_000].map((name) => refusals.has(String(name)))).toEqual([false, true, true])
})
