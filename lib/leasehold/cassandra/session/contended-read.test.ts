import cassandra from 'cassandra-driver'
import { expect, it } from 'vitest'
import { FakeClock } from '../../testing/index.ts'
import { fromDriver } from '../driver/driver-error.ts'
import { contendedReadAgain } from './contended-read.ts'

const { consistencies, responseErrorCodes } = cassandra.types
const read = { cql: 'SELECT owner FROM leases', consistency: consistencies.serial, readTimeoutMs: 2_500 }
const rows = { rows: [], coordinator: 'node' }
const failure = (code: number) =>
  fromDriver(Object.assign(new Error('no'), { name: 'ResponseError', code }), 'read')
const contended = failure(responseErrorCodes.writeTimeout)

/** Fails so many times, each after so long. */
function failing(times: number, tookMs: number, error = contended) {
  const clock = new FakeClock()
  let sent = 0
  const run = async () => {
    sent++
    await clock.advance(tookMs)
    if (sent <= times) throw error
    return rows
  }
  return { clock, run, sent: () => sent }
}

it('sends a SERIAL read again whose round was lost, at most three times', async () => {
  const once = failing(1, 20)
  expect(await contendedReadAgain(read, once.run, once.clock)).toBe(rows)
  expect(once.sent()).toBe(2)
  const always = failing(9, 20)
  await expect(contendedReadAgain(read, always.run, always.clock)).rejects.toBe(contended)
  expect(always.sent()).toBe(4)
})

it.each([
  ['an error that took as long as a time-out', read, 900, contended],
  ['another error', read, 20, failure(responseErrorCodes.unavailableException)],
  ['a plain read', { ...read, consistency: consistencies.quorum }, 20, contended],
  ['a conditional write', { ...read, serialConsistency: consistencies.serial }, 20, contended],
] as const)('does not send %s again', async (_, statement, tookMs, error) => {
  const once = failing(1, tookMs, error)
  await expect(contendedReadAgain(statement, once.run, once.clock)).rejects.toBe(error)
  expect(once.sent()).toBe(1)
})
