import cassandra from 'cassandra-driver'
import { describe, expect, it } from 'vitest'
import { fromDriver } from './driver-error.ts'

describe('an error of the driver', () => {
  it.each(['read', 'plain write', 'conditional write'] as const)(
    'says of a %s that nothing was sent',
    (kind) => {
      const none = [
        new cassandra.errors.NoHostAvailableError({}, 'All hosts tried for query failed.'),
        new cassandra.errors.BusyConnectionError('127.0.0.1:9042', 2048, 1),
        // As `HostConnectionPool.borrowConnection` throws it, 4.10.0.
        new Error('No connection available'),
      ]
      for (const error of none)
        expect(fromDriver(error, kind)).toMatchObject({ code: 'store-unavailable', mayHaveHappened: false })
    },
  )

  it('distinguishes a wrong password from one that an overloaded node could not check', () => {
    const wrong = new cassandra.errors.AuthenticationError(
      'Provided username u and/or password are incorrect',
    )
    expect(fromDriver(wrong, 'read')).toMatchObject({ code: 'store-refused' })
    const none = new cassandra.errors.AuthenticationError(
      'Host 127.0.0.1:9042 requires authentication, but no authenticator found in the options',
    )
    expect(fromDriver(none, 'read').message).toMatch(/user name and a password.*CASSANDRA_USERNAME/)
    const unchecked = new cassandra.errors.AuthenticationError('Unable to perform authentication: timed out')
    expect(fromDriver(unchecked, 'read')).toMatchObject({ code: 'store-unavailable', mayHaveHappened: false })
  })

  it('says of a write that was given up that its outcome is unknown', () => {
    const error = new cassandra.errors.OperationTimedOutError('The host did not reply.', '127.0.0.1:9042')
    expect(fromDriver(error, 'conditional write')).toMatchObject({
      code: 'statement-unknown',
      finality: 'never',
    })
  })

  it.each([
    // Too few replicas: under Paxos, some may have accepted the value before Cassandra says so.
    [0x1000, 'Not enough replicas available'],
    [0x1001, 'overloaded'],
    [0x1100, 'Operation timed out'],
    [0x1500, 'Operation failed'],
    [0x1700, 'CAS operation timed out: could not be applied'],
  ])(
    'says of a conditional write that ended in an error (%i) that its outcome is unknown',
    (code, message) => {
      const error = new cassandra.errors.ResponseError(code, message)
      expect(fromDriver(error, 'conditional write')).toMatchObject({
        code: 'statement-unknown',
        finality: 'read',
      })
    },
  )

  it('says of a plain write whose answer was lost that it may have happened', () => {
    const broken = Object.assign(new Error('socket hang up'), { isSocketError: true })
    const timedOut = new cassandra.errors.ResponseError(0x1100, 'Operation timed out')
    const givenUp = new cassandra.errors.OperationTimedOutError('The host did not reply.', '127.0.0.1:9042')
    for (const error of [broken, timedOut, givenUp]) {
      expect(fromDriver(error, 'plain write')).toMatchObject({
        code: 'store-unavailable',
        mayHaveHappened: true,
        message: expect.stringMatching(/may have happened/),
      })
      expect(fromDriver(error, 'read')).toMatchObject({ code: 'store-unavailable', mayHaveHappened: false })
    }
  })

  it('says of a plain write for which there were too few replicas that nothing was done', () => {
    const error = new cassandra.errors.ResponseError(0x1000, 'Not enough replicas available')
    expect(fromDriver(error, 'plain write')).toMatchObject({ mayHaveHappened: false })
  })

  it('passes through unchanged when it is unknown', () => {
    const bug = new TypeError('undefined is not a function')
    expect(fromDriver(bug, 'conditional write')).toBe(bug)
  })
})
