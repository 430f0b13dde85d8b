/** A process that is busy without a pause, in slices, and holds a lease or waits for one. */
import { connect } from '../../cassandra/index.ts'
import { Leases } from '../../lease/index.ts'
import { type Connection, say, settings, untilSent } from '../program.ts'
import { StandStills } from '../standing-still.ts'

export interface BusySettings {
  connection: Connection
  name: string
  ttlSeconds: number
  /** Once it has the lease: keep it, or end. */
  afterwards: 'hold' | 'end'
}

/** How long a slice of work keeps the event loop, in milliseconds. */
const sliceMs = 5

const { connection, name, ttlSeconds, afterwards } = settings<BusySettings>()
const session = await untilSent(() => connect(connection))
const leases = new Leases(session)
let isBusy = true
const work = () => {
  const endMs = performance.now() + sliceMs
  while (performance.now() < endMs);
  if (isBusy) setImmediate(work)
}
work()
say('busy')
const stills = new StandStills()
const lease = await leases.acquire(name, { ttlSeconds })
const atMs = Date.now()
if (afterwards === 'hold')
  lease.signal.addEventListener('abort', () =>
    // How long it stood still within the last TTL.
    say('lost', { stoodMs: stills.since(performance.now() - ttlSeconds * 1_000) }),
  )
const token = String(lease.token)
// How long an acquisition of a free lease takes this busy process on this machine, at this time.
const startedMs = performance.now()
await untilSent(() => leases.protocol.tryAcquire(`${name}/plain`, { ttlSeconds }))
say('held', {
  atMs,
  owner: lease.owner,
  token,
  plainMs: performance.now() - startedMs,
})
if (afterwards === 'end') {
  isBusy = false
  await leases.close()
  await session.close()
}
