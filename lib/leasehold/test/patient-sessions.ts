/**
 * For integration tests alone: a write that was not sent, and a read that was not answered in time, are called again.
 *
 * A conditional write leaves within a second of its call, or never (cassandra/driver/gate/send-gate.ts); a read is given
 * up after 2.5 s (cassandra/session/statement.ts). Of a machine that runs several suites at a time any test may be refused
 * so, and no test of the others asks how soon the machine sends or answers. A session that a test puts a fault before, by a
 * proxy or on a node of its own, is as it is everywhere, unless the test says that its proxy is `harmless`.
 */
import { isSelect } from '../cassandra/driver/run-statement.ts'
import { CassandraSession } from '../cassandra/session/session.ts'
import { isLeaseholdError } from '../lease/index.ts'

/** A write takes a second each time, a read 2.5 s: all of them less than the 30 s within which the console sends an act. */
const tries = 10
/** Some reads wait longer than others. */
const triesWithinMs = 25_000
// Files share a process, and this is read for each of them.
const patient = Symbol.for('leasehold.patient-sessions')
const prototype = CassandraSession.prototype as CassandraSession & { [patient]?: Set<string> }

if (prototype[patient] === undefined) {
  prototype[patient] = new Set()
  const { execute } = CassandraSession.prototype
  CassandraSession.prototype.execute = async function (statement, params) {
    const beganMs = performance.now()
    for (let tried = 1; ; tried++) {
      try {
        return await execute.call(this, statement, params)
      } catch (error) {
        // With a time of its own it must not be sent later: the release of a lock without an owner.
        const isEarly = tried < tries && performance.now() - beganMs < triesWithinMs
        const mayTry = isEarly && statement.sentWithinMs === undefined && hasNoFault(this)
        const isBusy = wasNotSent(error) || (isSelect(statement) && wasNotAnswered(error))
        if (!mayTry || !isBusy) throw error
      }
    }
  }
}

/**
 * Says that what a proxy does to statements is no reason for a write not to be sent, or for a read to have no answer in time: its
 * faults are other ones, or there are none now.
 * @param contactPoint of the proxy
 * @returns call it before the proxy holds back what is sent or answered
 */
export function harmless(contactPoint: string): () => void {
  prototype[patient]?.add(contactPoint)
  return () => prototype[patient]?.delete(contactPoint)
}

const wasNotSent = (error: unknown): boolean =>
  isLeaseholdError(error, 'store-unavailable') && error.message.startsWith('The write was not sent')

/** By the client's time or by the node's own. Not: there is no node. */
const wasNotAnswered = (error: unknown): boolean =>
  isLeaseholdError(error, 'store-unavailable') &&
  /^Cassandra (did not answer in time|has no quorum or is too slow)/.test(error.message)

/** Whether nothing that hinders it stands between it and the node of this run. */
function hasNoFault({ client }: CassandraSession): boolean {
  // The driver's types lack `options`.
  const { options } = client as unknown as { options?: { contactPoints?: string[] } }
  const points = options?.contactPoints ?? []
  const node = process.env.LEASEHOLD_TEST_CONTACT_POINT
  return points.some((point) => point === node || prototype[patient]?.has(point) === true)
}
