/** A process that waits for many leases, and for the leadership of as many groups, when its leases are closed. */
import { connect } from '../../cassandra/index.ts'
import { Election } from '../../election/index.ts'
import { Leases } from '../../lease/index.ts'
import { type Connection, say, settings, told, untilSent } from '../program.ts'
import { StandStills } from '../standing-still.ts'

export interface WaitingSettings {
  connection: Connection
  locks: string[]
  groups: string[]
}

const { connection, locks, groups } = settings<WaitingSettings>()
const session = await untilSent(() => connect(connection))
const leases = new Leases(session)
const { terms } = session
const waits = [
  ...locks.map((name) => leases.acquire(name)),
  ...groups.map((group) => new Election({ leases, group, terms }).campaign()),
]
const outcomes = Promise.all(
  waits.map((wait) =>
    wait.then(
      () => 'acquired',
      (thrown) => thrown.code ?? String(thrown),
    ),
  ),
)
const stills = new StandStills()
say('waiting')
await told()
const closingMs = performance.now()
const closing = leases.close()
say('closing')
const outcomesOf = await outcomes
say('over', { outcomes: outcomesOf, afterMs: stills.ranSince(closingMs) })
await closing
await session.close()
say('closed', { afterMs: performance.now() - closingMs })
