/** The second half of the canary: a lease ends by its release, and by itself. */
import { uniqueOwner } from '../../lease/index.ts'
import { deadlineOf, type Moment, type Timer } from '../../time/index.ts'
import { answered, Contradiction, Inconclusive } from './answers.ts'
import { refused, type Trial } from './exclusion.ts'

const releasedTtlSeconds = 60
/** The shortest lease. */
const expiringTtlSeconds = 2
/** For how long past its expiry a row may still be shown before the canary speaks of it, and how often it looks. In milliseconds. */
const patienceMs = 10_000
const lookEveryMs = 250

/** @throws Contradiction, Inconclusive, StoreRefusedError */
export async function ending(trial: Trial & { timer: Timer }): Promise<void> {
  const last = await expired(trial, await released(trial))
  // It expires in two seconds; only that the table is left as it was found depends on this answer.
  await answered(trial.store.release({ name: trial.name, owner: last }))
}

const wrong = (found: string) => new Contradiction(found, { isUnsafe: false })
const isGone = async ({ store, name }: Trial) => (await answered(store.read(name))).cells === null

async function isAcquired({ store, name }: Trial, owner: string, ttlSeconds: number): Promise<boolean> {
  const value = store.columns.value ? 'canary' : null
  const answer = await answered(store.acquire({ name, owner, value, ttlSeconds }))
  if (answer.applied) return true
  // Another statement of this canary completed the round of this one.
  if (answer.found?.owner === owner) throw new Inconclusive('An acquisition found itself applied.')
  return false
}

/** @returns when a lease that follows a released one was surely granted */
async function released(trial: Trial): Promise<Moment> {
  const { store, clock, maxClockSkewMs, name } = trial
  const owner = uniqueOwner()
  const deadline = deadlineOf(clock.now(), releasedTtlSeconds, maxClockSkewMs)
  if (!(await isAcquired(trial, owner, releasedTtlSeconds)))
    throw new Inconclusive('Cassandra refused a fresh name.')
  if (!(await answered(store.release({ name, owner }))).applied)
    throw refused(deadline, clock, 'The release of a lease was refused to its holder.')
  if (!(await isGone(trial)))
    throw wrong('A lease was released, and a SERIAL read right after it shows its row.')
  if (!(await isAcquired(trial, uniqueOwner(), expiringTtlSeconds)))
    throw wrong('A lease could not be acquired after its release.')
  return clock.now()
}

/** @returns the owner of the lease that follows the expired one */
async function expired(trial: Trial & { timer: Timer }, granted: Moment): Promise<string> {
  const { clock, timer, maxClockSkewMs } = trial
  // The expiry counts from the start of the statement, by its coordinator's clock; another one may show the row for longer.
  await timer.sleep(expiringTtlSeconds * 1000 + maxClockSkewMs)
  for (;;) {
    const owner = uniqueOwner()
    const gone = await isGone(trial)
    if (gone && (await isAcquired(trial, owner, expiringTtlSeconds))) return owner
    const overdueMs = clock.now().monotonicMs - granted.monotonicMs - expiringTtlSeconds * 1000
    if (overdueMs > patienceMs)
      throw wrong(
        gone
          ? `A lease could not be acquired ${patienceMs / 1000} s after the expiry of the one before.`
          : `A lease of ${expiringTtlSeconds} s is still there ${patienceMs / 1000} s after its expiry.`,
      )
    await timer.sleep(lookEveryMs)
  }
}
