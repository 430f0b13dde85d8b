/** How long there was no service, and that a lease outlives the failure of one node. */
import { type Falsehood, grouped, type Operation } from '../../lib/leasehold/testing/laws/history.ts'
import { type ClusterHistory, doorOf } from '../history/cluster-history.ts'

/** From the quorum's return to the first answer, in milliseconds. */
const backWithinMs = 5_000

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

/** The longest time in which a door answered nothing, while there was a quorum and the door itself was there. */
export function longestSilence({ operations, faults, stoppedMs }: ClusterHistory): Gap | undefined {
  const excused = (door: string, fromMs: number, untilMs: number) =>
    faults.some(
      (fault) =>
        fault.fromMs <= untilMs &&
        fault.untilMs >= fromMs &&
        (fault.kind === 'quorum' || (fault.kind === 'console' && door === `api-${fault.target}`)),
    )
  const byDoor = grouped(operations.filter(answered), ({ client }) => doorOf(client))
  const silences = [...byDoor].flatMap(([door, of]) => {
    const times = of.map(({ returnedMs }) => returnedMs).toSorted((a, b) => a - b)
    return times.flatMap((untilMs, i) => {
      const fromMs = times[i - 1] ?? untilMs
      return untilMs > stoppedMs || excused(door, fromMs, untilMs)
        ? []
        : [{ door, afterMs: untilMs - fromMs }]
    })
  })
  return silences.toSorted((a, b) => b.afterMs - a.afterMs)[0]
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
    ...lossesWithQuorum(history).map((loss) => ({
      law: 'a lease outlives the failure of one node',
      evidence: JSON.stringify(loss),
    })),
  ]
}
