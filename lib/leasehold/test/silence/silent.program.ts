/** A process that is in the middle of something when Cassandra falls silent, gives up, closes, and ends by itself. */
import { connect } from '../../cassandra/index.ts'
import { Election } from '../../election/index.ts'
import { isLeaseholdError, Leases } from '../../lease/index.ts'
import { Locks } from '../../lock/index.ts'
import { type Connection, pause, say, settings, told, untilSent } from '../program.ts'
import { StandStills } from '../standing-still.ts'

export interface SilentSettings {
  connection: Connection
  name: string
  act: keyof typeof acts
  /** Whether the statements were prepared before. */
  isWarm: boolean
  /** Whether a connection breaks first, and has to be there again. */
  reconnects: boolean
  /** Whether a try that a busy machine did not send is made again: it says nothing of a silent Cassandra. */
  insists: boolean
}

/** How long an act may have been under way before it is given up, in milliseconds. */
const underWayMs = 1_000

const { connection, name, act, isWarm, reconnects, insists } = settings<SilentSettings>()
const stills = new StandStills()
const session = await untilSent(() => connect(connection))
const leases = new Leases(session)
const locks = new Locks(leases)
const election = new Election({ leases, group: name, terms: session.terms })
/** From when the test measures. */
let givenUpMs = Number.NaN
/** How long the slowest try took that was not sent, in milliseconds. */
let slowestUnsentMs = 0

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

/** Measures each try alone: all of them must end in time. */
async function tried(call: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    givenUpMs = performance.now()
    try {
      await call()
      return
    } catch (thrown) {
      if (!insists || tries === 10 || !wasNotSent(thrown)) throw thrown
      slowestUnsentMs = Math.max(slowestUnsentMs, stills.ranSince(givenUpMs))
    }
  }
}

const wasNotSent = (thrown: unknown): boolean =>
  isLeaseholdError(thrown, 'store-unavailable') && thrown.message.startsWith('The write was not sent')

const acts = {
  'aborted acquire': () => aborted((signal) => leases.acquire(name, { signal })),
  'aborted campaign': () => aborted((signal) => election.campaign({ signal })),
  'acquire without waiting': () => tried(() => leases.acquire(name, { waitMs: 0 })),
  tryAcquire: () => tried(() => leases.tryAcquire(name)),
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
  await untilSent(() => locks.withLock(`${name}/warm`, () => {}))
  await using _ = await new Election({ leases, group: `${name}/warm`, terms: session.terms }).campaign()
}
say('ready')
await told()
if (reconnects) {
  const isAnswered = () =>
    session.client.execute('SELECT key FROM system.local').then(
      () => true,
      () => false,
    )
  while (!(await isAnswered())) await pause(50)
  say('reconnected')
  await told()
}
givenUpMs = performance.now()
try {
  await acts[act]()
  say('over', { error: 'none' })
} catch (thrown) {
  const { code, message } = thrown as { code?: string; message: string }
  say('over', { error: code ?? message, afterMs: Math.max(slowestUnsentMs, stills.ranSince(givenUpMs)) })
}
const closingMs = performance.now()
await leases.close()
const leasesMs = stills.ranSince(closingMs)
const leasesClosedMs = performance.now()
await session.close()
say('closed', {
  leasesMs,
  sessionMs: stills.ranSince(leasesClosedMs),
})
