/**
 * For integration tests alone: a write that was not sent is called again, as its error asks.
 *
 * A conditional write leaves within a second of its call, or never (cassandra/driver/gate/send-gate.ts). Of a machine that runs several
 * suites at a time any test may be refused so, and no test of the others asks how soon the machine sends. A session
 * that a test puts a fault before, by a proxy or on a node of its own, is as it is everywhere.
 */
import { CassandraSession } from '../cassandra/session/session.ts'
import { isLeaseholdError } from '../lease/index.ts'

/** Each takes a second: all of them less than the 30 s within which the console sends an act. */
const tries = 10
// Files share a process, and this is read for each of them.
const patient = Symbol.for('leasehold.patient-sessions')
const prototype = CassandraSession.prototype as CassandraSession & { [patient]?: true }

if (prototype[patient] === undefined) {
  prototype[patient] = true
  const { execute } = CassandraSession.prototype
  CassandraSession.prototype.execute = async function (statement, params) {
    for (let tried = 1; ; tried++) {
      try {
        return await execute.call(this, statement, params)
      } catch (error) {
        // With a time of its own it must not be sent later: the release of a lock without an owner.
        const mayTry = tried < tries && statement.sentWithinMs === undefined && hasNoFault(this)
        if (!mayTry || !wasNotSent(error)) throw error
      }
    }
  }
}

const wasNotSent = (error: unknown): boolean =>
  isLeaseholdError(error, 'store-unavailable') && error.message.startsWith('The write was not sent')

/** Whether nothing stands between it and the node of this run. */
function hasNoFault({ client }: CassandraSession): boolean {
  // The driver's types lack `options`.
  const { options } = client as unknown as { options?: { contactPoints?: string[] } }
  const node = process.env.LEASEHOLD_TEST_CONTACT_POINT
  return node !== undefined && options?.contactPoints?.includes(node) === true
}
