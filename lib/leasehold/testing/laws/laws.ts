/**
 * What must be true of a history, whatever faults there were.
 *
 * The truth is what the observer's SERIAL reads show: they pass no proxy, and SERIAL reads and conditional writes of
 * one row are linearizable. A read says what the row was at one moment between its sending and its answer; so a report
 * is compared only with reads that began after, and ended before, the time it speaks of. Where reads cannot tell, two
 * more facts do: owner ids are used once, so that a row which shows the same owner twice showed it in between, unless
 * an acquisition of that owner arrived in between; and what no proxy handed to the node never happened.
 *
 * One thing looks like a lie and is documented as none: an acquisition that was sent again, because its first try was
 * held back, may be shown again after its release, when that first try lands: a ghost, for one TTL, on which no
 * process relies. It is excused only when an acquisition of that owner did arrive so late.
 */
import { type Arrival, type Falsehood, grouped, type History, type Operation } from './history.ts'
import { lawsOfNumbers, lawsOfTerms } from './number-laws.ts'
import { Sightings } from './sightings.ts'
import { overMs, reported, Tenures, type Told } from './tenures.ts'

/** Whole-second expiry, and the second's edge. */
const secondSlackMs = 1_000
/** Between two readings of one clock: that of the library, and that of the recorder. */
const clockSlackMs = 5

/** One lease's part of the history. A law looks at what concerns its owner: a look at all for each operation takes seconds. */
interface Scene {
  readonly operationsOf: (owner: string) => readonly Operation[]
  readonly sightings: Sightings
  readonly arrivalsOf: (owner: string | null) => readonly Arrival[]
  readonly arrivalsWith: (value: string) => readonly Arrival[]
  readonly tenures: Tenures
  /** Of any operation; 0: there is none. */
  readonly longestTtlSeconds: number
  /** How much longer than its TTL a row may be shown, in milliseconds. */
  readonly expirySlackMs: number
  readonly isServed: (client: string) => boolean
}

export interface Surroundings {
  /** The largest difference between the clocks of any two nodes, in milliseconds; 0 unless given: there is one node. */
  readonly skewMs?: number | undefined
  /**
   * Whether a server stands between the client and the nodes. Its *unavailable* says that nothing was changed; a write that
   * was refused may have been sent. Left out: none does.
   */
  readonly isServed?: ((client: string) => boolean) | undefined
}

/**
 * What a history says that cannot be true, with the evidence as JSON. Empty: all laws are kept. Its cost grows
 * as the history does; for each tenure that contradicts another one, all are looked at.
 *
 * @example
 * import { falsehoods, type History } from 'leasehold/testing'
 *
 * const asked = { client: 'a', name: 'job', ttlSeconds: 5, value: null }
 * const history: History = {
 *   operations: [
 *     {
 *       ...asked, mark: '1', kind: 'acquire', owner: 'a-1', calledMs: 100, returnedMs: 110,
 *       report: { kind: 'acquired', token: 7n, deadlineMs: 4_000 },
 *     },
 *   ],
 *   // Read at SERIAL while `a` may rely on its lease: there is no row.
 *   sightings: [{ name: 'job', owner: null, value: null, version: null, sentMs: 200, answeredMs: 202 }],
 *   arrivals: [],
 *   numbers: [],
 *   terms: [],
 *   nextFree: new Map(),
 * }
 * console.log(falsehoods(history).map(({ law }) => law)) // ['shown while held']
 */
export function falsehoods(
  history: History,
  { skewMs = 0, isServed = () => false }: Surroundings = {},
): Falsehood[] {
  const [sightings, arrivals] = [byName(history.sightings), byName(history.arrivals)]
  const found = [...byName(history.operations)].flatMap(([name, operations]) => {
    const scene = {
      ...sceneOf(operations, new Sightings(sightings.get(name) ?? []), arrivals.get(name) ?? []),
      expirySlackMs: secondSlackMs + skewMs,
      isServed,
    }
    return [
      ...scene.tenures.all.flatMap((told) => [...lawsOfTenure(told, scene), ...lawsOfRenewals(told, scene)]),
      ...operations.flatMap((operation) => lawsOfReport(operation, scene)),
    ]
  })
  return [...found, ...lawsOfNumbers(history), ...lawsOfTerms(history)]
}

function sceneOf(
  operations: readonly Operation[],
  sightings: Sightings,
  arrivals: readonly Arrival[],
): Omit<Scene, 'expirySlackMs' | 'isServed'> {
  const [operationsByOwner, arrivalsByOwner, arrivalsByValue] = [
    grouped(operations, ({ owner }) => owner),
    grouped(arrivals, ({ owner }) => owner),
    grouped(arrivals, ({ value }) => value),
  ]
  return {
    sightings,
    tenures: new Tenures(operations),
    operationsOf: (owner) => operationsByOwner.get(owner) ?? [],
    arrivalsOf: (owner) => (owner === null ? [] : (arrivalsByOwner.get(owner) ?? [])),
    arrivalsWith: (value) => arrivalsByValue.get(value) ?? [],
    longestTtlSeconds: operations.reduce((longest, { ttlSeconds }) => Math.max(longest, ttlSeconds), 0),
  }
}

/** Acquisitions that were shown after their release was reported: late tries. */
export function ghosts(history: History): number {
  const arrivals = byName(history.arrivals)
  return history.operations.filter(
    (operation) =>
      reported(operation, 'released', 'killed') &&
      history.sightings.some(
        (seen) => seen.owner === operation.owner && seen.sentMs >= operation.returnedMs,
      ) &&
      lateUntilMs(
        operation,
        (arrivals.get(operation.name) ?? []).filter(({ owner }) => owner === operation.owner),
        secondSlackMs,
      ) !== undefined,
  ).length
}

const byName = <T extends { name: string }>(all: readonly T[]): Map<string, T[]> =>
  grouped(all, (each) => each.name)

function lawsOfTenure(told: Told, { sightings, tenures }: Scene): Falsehood[] {
  const { acquisition, owner, token, fromMs, untilMs } = told
  const found: Falsehood[] = []
  const say = (law: string, evidence: object) =>
    found.push({ law, evidence: show({ told: acquisition, ...evidence }) })
  for (const seen of sightings.within(fromMs, untilMs)) {
    if (seen.owner !== owner) say('shown while held', { seen })
    else if ((seen.version ?? 0n) < token) say('the token is of this tenure', { seen })
  }
  if (sightings.greatestVersionBy(acquisition.calledMs) >= token)
    for (const seen of sightings.within(Number.NEGATIVE_INFINITY, acquisition.calledMs))
      if (seen.owner !== owner && (seen.version ?? 0n) >= token) say('tokens grow', { seen })
  for (const other of tenures.maybeAgainst(told)) {
    const earlier = other.fromMs <= acquisition.calledMs
    if (other.token === token || (earlier && other.token > token))
      say('tokens grow', { other: other.acquisition })
    if (other.fromMs <= fromMs && fromMs < other.untilMs) say('one holder', { other: other.acquisition })
  }
  return found
}

/** Renewals come in time, and write the value that they say. */
function lawsOfRenewals(told: Told, { sightings }: Scene): Falsehood[] {
  const found: Falsehood[] = []
  const writes = told.operations.filter((operation) => operation.kind === 'renew')
  let { deadlineMs } = told.acquisition.report as { deadlineMs: number }
  for (const renewal of writes) {
    if (!reported(renewal, 'renewed')) continue
    if (renewal.calledMs > deadlineMs + clockSlackMs)
      found.push({ law: 'renewed before the deadline', evidence: show({ renewal, deadlineMs }) })
    deadlineMs = Math.max(deadlineMs, renewal.report.deadlineMs)
  }
  for (const seen of sightings.within(told.fromMs, told.untilMs)) {
    if (seen.owner !== told.owner) continue
    let possible = [told.acquisition.value]
    for (const write of writes) {
      if (write.calledMs > seen.answeredMs) break
      const settled = reported(write, 'renewed') && write.returnedMs <= seen.sentMs
      // A renewal that leaves the value as it is does not shut out an earlier, unheard one that changes it.
      possible = settled && write.value !== possible[0] ? [write.value] : [...possible, write.value]
    }
    if (!possible.includes(seen.value))
      found.push({ law: 'the value as renewed', evidence: show({ seen, possible }) })
  }
  return found
}

function lawsOfReport(operation: Operation, scene: Scene): Falsehood[] {
  const { sightings } = scene
  const { owner, calledMs, returnedMs, report } = operation
  const found: Falsehood[] = []
  const say = (law: string, evidence: object = {}) =>
    found.push({ law, evidence: show({ operation, ...evidence }) })
  const told = owner === null ? undefined : scene.tenures.of(owner)

  if (reported(operation, 'error')) say('no other errors')
  if (operation.kind === 'acquire' && reported(operation, 'held', 'store-unavailable'))
    for (const seen of sightings.ofValue(operation.value))
      say('what was not acquired is never shown', { seen })
  const sendsItself = !scene.isServed(operation.client)
  if (sendsItself && operation.value !== null && reported(operation, 'store-unavailable'))
    for (const arrival of scene.arrivalsWith(operation.value))
      say('what is unavailable was not sent', { arrival })

  if (reported(operation, 'released', 'notHeld', 'killed', 'superseded', 'holder-changed')) {
    const lateMs =
      lateUntilMs(operation, scene.arrivalsOf(owner), scene.expirySlackMs) ?? Number.NEGATIVE_INFINITY
    for (const seen of sightings.ofOwner(owner))
      if (seen.sentMs >= returnedMs && seen.sentMs > lateMs) say('gone after its release', { seen })
  }
  if (
    reported(operation, 'killed') ||
    (reported(operation, 'released') && report.kind === 'released' && report.certain)
  ) {
    const why = cannotBeShown(owner as string, operation, scene)
    if (why !== undefined) say('what was released was there', { why })
  }
  if (told !== undefined && reported(operation, 'lost', 'notHeld', 'holder-changed')) {
    const over = overMs(told, operation)
    const early = returnedMs < over - clockSlackMs
    if (early && !(report.kind === 'lost' && report.why === 'released')) say('a loss has a cause', { over })
  }
  if (reported(operation, 'held', 'notHeld', 'lost', 'holder-changed') && operation.report.owner !== null) {
    const holder = operation.report.owner
    const why = holder === owner ? 'it is the same owner' : cannotBeShown(holder, operation, scene)
    if (why !== undefined) say('the holder that is named was there', { why })
    const before = sightings.lastBefore(calledMs)
    const after = sightings.firstFrom(returnedMs)
    if (before?.owner != null && before.owner === after?.owner && before.owner !== holder) {
      // With one try alone it can have come only once.
      const tries = scene.arrivalsOf(before.owner).filter(({ kind }) => kind === 'acquire')
      const again =
        tries.length > 1 &&
        tries.some(({ atMs, answeredMs }) => answeredMs > before.sentMs && atMs < after.answeredMs)
      if (!again) say('the holder that is named was there', { before, after })
    }
  }
  return found
}

/** Why no row of this owner can have been there at any time during the operation; undefined: one can. */
function cannotBeShown(
  owner: string,
  during: Operation,
  { operationsOf, arrivalsOf, longestTtlSeconds, expirySlackMs }: Scene,
): string | undefined {
  const arrivals = arrivalsOf(owner)
  const own = arrivals.filter(({ atMs }) => atMs <= during.returnedMs)
  if (!own.some(({ kind }) => kind === 'acquire')) return 'it never acquired'
  const operations = operationsOf(owner)
  const known = operations.map(({ ttlSeconds }) => ttlSeconds)
  const written = own.flatMap(({ ttlSeconds }) => ttlSeconds ?? [])
  const ttlMs = 1000 * Math.max(...([known, written].find((of) => of.length > 0) ?? [longestTtlSeconds]))
  const lastMs = Math.max(...own.filter(({ kind }) => kind !== 'release').map(({ answeredMs }) => answeredMs))
  if (lastMs + ttlMs + expirySlackMs < during.calledMs) return 'it had expired'
  const gone = operations.find(
    (operation) =>
      operation !== during &&
      reported(operation, 'released', 'killed', 'notHeld', 'superseded') &&
      operation.returnedMs <= during.calledMs &&
      lateUntilMs(operation, arrivals, expirySlackMs) === undefined,
  )
  return gone && `it was gone since ${gone.returnedMs.toFixed(0)}`
}

/**
 * Until when the owner may be shown although this operation reported it gone; undefined: the node was done with every
 * try to acquire before it was called.
 * @param arrivals of that owner
 */
function lateUntilMs(
  { calledMs, ttlSeconds }: Operation,
  arrivals: readonly Arrival[],
  slackMs: number,
): number | undefined {
  const late = arrivals.filter((arrival) => arrival.kind === 'acquire' && arrival.answeredMs >= calledMs)
  if (late.length === 0) return undefined
  return Math.max(...late.map(({ answeredMs }) => answeredMs)) + ttlSeconds * 1000 + slackMs
}

const show = (evidence: object): string =>
  JSON.stringify(evidence, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
