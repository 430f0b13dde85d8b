/** A process that loops over one lock, or over one election, and counts its turns. */
import { connect } from '../../cassandra/index.ts'
import { Election } from '../../election/index.ts'
import { Leases } from '../../lease/index.ts'
import { Locks } from '../../lock/index.ts'
import { type Connection, pause, say, settings, told, untilSent } from '../program.ts'

export interface LoopSettings {
  connection: Connection
  name: string
  over: 'lock' | 'election'
  workMs: number
  /** How long to loop. */
  forMs: number
}

const { connection, name, over, workMs, forMs } = settings<LoopSettings>()
const session = await untilSent(() => connect(connection))
const leases = new Leases(session)
const locks = new Locks(leases)
const election = new Election({ leases, group: name, terms: session.terms })
const work = async () => {
  if (workMs > 0) await pause(workMs)
}
const turnOf = {
  lock: (signal: AbortSignal) => locks.withLock(name, { signal }, work),
  election: async (signal: AbortSignal) => {
    await using leadership = await election.campaign({ signal })
    await work()
    await untilSent(() => leadership.resign())
  },
}
say('ready')
await told()
const signal = AbortSignal.timeout(forMs)
let turns = 0
const startedMs = performance.now()
let lastMs = startedMs
let longestMs = 0
while (!signal.aborted)
  try {
    await turnOf[over](signal)
    turns++
    longestMs = Math.max(longestMs, performance.now() - lastMs)
    lastMs = performance.now()
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
longestMs = Math.max(longestMs, performance.now() - lastMs)
await leases.close()
await session.close()
say('turns', { turns, longestMs })
