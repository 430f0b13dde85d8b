/** How long there was no service, and that a lease outlives the failure of one node. */
import { type Falsehood, grouped, type Operation } from '../../lib/leasehold/testing/laws/history.ts'
import { type ClusterHistory, doorOf } from '../history/cluster-history.ts'

/** From the quorum's return to the first answer, in milliseconds. */
const backWithinMs = 5_000
/** A starved machine once took 8.3 s between two answers of a door (docs/cluster-test.md). */
const answersWithinMs = 15_000

const answered = ({ kind, report }: Operation): boolean =>
  kind !== 'loss' && !['outcome-unknown', 'kill-unknown', 'store-unavailable', 'error'].includes(report.kind)

interface Gap {
  readonly door: string
  readonly afterMs: number
}

/** For each return of the quorum and each door: the time until the first operation that was answered. */
export function gaps({ operations, faults }: ClusterHistory): Gap[] {
  const served = operations.filter(answered)
  const doors = [...new Set(operations.map(({ client }) => doorOf(client)))].sort()
  return faults.flatMap(({ quorumBackMs }) =>
    quorumBackMs === undefined
      ? []
      : doors.map((door) => {
          const first = Math.min(
            Number.POSITIVE_INFINITY,
            ...served
              .filter(({ client, returnedMs }) => returnedMs >= quorumBackMs && doorOf(client) === door)
              .map(({ returnedMs }) => returnedMs),
          )
          return { door, afterMs: first - quorumBackMs }
        }),
  )
}

/**
 * For each door that a client tried: the times in which it answered nothing although there was a quorum and, for an API, its
 * console was up. They begin and end with answers, with the clients' work, and with faults that take the door's service.
 */
function silences({ operations, faults, stoppedMs }: ClusterHistory): Gap[] {
  const firstMs = operations.reduce((ms, { calledMs }) => Math.min(ms, calledMs), Number.POSITIVE_INFINITY)
  // A run that was cut short does not say when its clients stopped.
  const lastMs = operations.reduce((ms, { returnedMs }) => Math.max(ms, returnedMs), 0)
  const endMs = Number.isFinite(stoppedMs) ? stoppedMs : lastMs
  return [...grouped(operations, ({ client }) => doorOf(client))].flatMap(([door, of]) => {
    const answers = of.filter(answered).map(({ returnedMs }) => ({ fromMs: returnedMs, untilMs: returnedMs }))
    const away = faults.filter(
      ({ kind, target }) => kind === 'quorum' || (kind === 'console' && door === `api-${target}`),
    )
    const found: Gap[] = []
    let fromMs = firstMs
    const edges = [...answers, ...away].toSorted((a, b) => a.fromMs - b.fromMs)
    for (const edge of [...edges, { fromMs: endMs, untilMs: endMs }]) {
      const afterMs = Math.min(edge.fromMs, endMs) - fromMs
      if (afterMs > 0) found.push({ door, afterMs })
      fromMs = Math.max(fromMs, edge.untilMs)
    }
    return found
  })
}

/** The longest time in which a door answered nothing, while there was a quorum and the door itself was there. */
export function longestSilence(history: ClusterHistory): Gap | undefined {
  return silences(history).toSorted((a, b) => b.afterMs - a.afterMs)[0]
}

/** Losses of leases that were kept alive, at their deadlines, while at most one process was away. */
function lossesWithQuorum({ operations, faults }: ClusterHistory): Operation[] {
  return operations.filter(({ kind, client, report, calledMs, ttlSeconds }) => {
    if (kind !== 'loss' || report.kind !== 'lost' || report.why !== 'deadline') return false
    const fromMs = calledMs - ttlSeconds * 1_000
    return !faults.some(
      (fault) =>
        fault.fromMs <= calledMs &&
        fault.untilMs >= fromMs &&
        (fault.kind === 'quorum' || (fault.kind === 'console' && doorOf(client) === `api-${fault.target}`)),
    )
  })
}

export function lawsOfService(history: ClusterHistory): Falsehood[] {
  return [
    ...gaps(history)
      .filter(({ afterMs }) => afterMs > backWithinMs)
      .map((gap) => ({ law: 'service is back soon after the quorum', evidence: JSON.stringify(gap) })),
    ...silences(history)
      .filter(({ afterMs }) => afterMs > answersWithinMs)
      .map((silence) => ({
        law: 'a door answers while there is a quorum',
        evidence: JSON.stringify(silence),
      })),
    ...lossesWithQuorum(history).map((loss) => ({
      law: 'a lease outlives the failure of one node',
      evidence: JSON.stringify(loss),
    })),
  ]
}
