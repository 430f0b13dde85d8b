/** A process that is in the middle of something when Cassandra falls silent, gives up, closes, and ends by itself. */
import { connect } from '../../cassandra/index.ts'
import { Election } from '../../election/index.ts'
import { Leases } from '../../lease/index.ts'
import { Locks } from '../../lock/index.ts'
import { type Connection, pause, say, settings, told } from '../program.ts'

export interface SilentSettings {
  connection: Connection
  name: string
  act: keyof typeof acts
  /** Whether the statements were prepared before. */
  isWarm: boolean
}

/** How long an act may have been under way before it is given up, in milliseconds. */
const underWayMs = 1_000

const { connection, name, act, isWarm } = settings<SilentSettings>()
const session = await connect(connection)
const leases = new Leases(session)
const locks = new Locks(leases)
const election = new Election({ leases, group: name, terms: session.terms })
/** From when the test measures. */
let givenUpMs = Number.NaN

async function aborted(begin: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const abort = new AbortController()
  const begun = begin(abort.signal)
  begun.catch(() => {})
  await pause(underWayMs)
  givenUpMs = performance.now()
  abort.abort(new Error('given up'))
  await begun
}

async function closed(begin: () => Promise<unknown>): Promise<void> {
  const begun = begin()
  begun.catch(() => {})
  await pause(underWayMs)
  givenUpMs = performance.now()
  void leases.close()
  await begun
}

const acts = {
  'aborted acquire': () => aborted((signal) => leases.acquire(name, { signal })),
  'aborted campaign': () => aborted((signal) => election.campaign({ signal })),
  'acquire without waiting': () => leases.acquire(name, { waitMs: 0 }),
  tryAcquire: () => leases.tryAcquire(name),
  'acquire while the leases are closed': () => closed(() => leases.acquire(name)),
  'campaign while the leases are closed': () => closed(() => election.campaign()),
  'work that throws': () =>
    locks.withLock(name, async () => {
      say('working')
      await told()
      await pause(underWayMs)
      givenUpMs = performance.now()
      throw new Error('the work failed')
    }),
}

if (isWarm) {
  await locks.withLock(`${name}/warm`, () => {})
  await using _ = await new Election({ leases, group: `${name}/warm`, terms: session.terms }).campaign()
}
say('ready')
await told()
givenUpMs = performance.now()
try {
  await acts[act]()
  say('over', { error: 'none' })
} catch (thrown) {
  const { code, message } = thrown as { code?: string; message: string }
  say('over', { error: code ?? message, afterMs: performance.now() - givenUpMs })
}
const closingMs = performance.now()
await leases.close()
const leasesClosedMs = performance.now()
await session.close()
say('closed', {
  leasesMs: leasesClosedMs - closingMs,
  sessionMs: performance.now() - leasesClosedMs,
})
