import type { CassandraSession } from 'leasehold/cassandra'
import { z } from 'zod'
import type { NotObserved } from '../../contract/leases/history.ts'
import { recordingStatements } from './history-statements.ts'

export const dayMs = 86_400_000

/** A stretch of time in which a recorder watched a table; or, where `what` is `renewals`, in which it dropped renewals. */
export interface Stretch {
  readonly beganMs: number
  readonly untilMs: number
  /** The recorder's tenure. */
  readonly recorder: string
  readonly what: NotObserved['what']
  /** Why nothing was observed just before it; of dropped renewals, why they are missing. */
  readonly why: NotObserved['why']
}

export interface RecordingStore {
  /** Writes a stretch, or its later end. It must not go over midnight, UTC. @throws StoreUnavailableError, StoreRefusedError */
  write(leaseTable: string, stretch: Stretch): Promise<void>
  /** The stretches of the days from `fromMs` to `toMs`, oldest first. @throws as `write` */
  between(leaseTable: string, fromMs: number, toMs: number): Promise<Stretch[]>
}

const rowSchema = z.object({
  began_at: z.date(),
  recorder: z.string(),
  what: z.enum(['everything', 'renewals']),
  why: z.enum(['no-recorder', 'store', 'dropped']),
  until_at: z.date(),
})

const dayOf = (ms: number): number => Math.floor(ms / dayMs) * dayMs

/** The beginnings of the days from `fromMs` to `toMs`, UTC, oldest first. */
export function daysOf(fromMs: number, toMs: number): number[] {
  const days: number[] = []
  for (let day = dayOf(fromMs); day <= toMs; day += dayMs) days.push(day)
  return days
}

export class CassandraRecordings implements RecordingStore {
  readonly #session: Pick<CassandraSession, 'execute'>
  readonly #statements: ReturnType<typeof recordingStatements>
  readonly #retentionSeconds: number

  constructor(
    session: Pick<CassandraSession, 'execute' | 'keyspace' | 'serial'>,
    { retentionSeconds }: { retentionSeconds: number },
  ) {
    this.#session = session
    this.#statements = recordingStatements(session.keyspace, session.serial)
    this.#retentionSeconds = retentionSeconds
  }

  async write(leaseTable: string, { beganMs, untilMs, recorder, what, why }: Stretch): Promise<void> {
    await this.#session.execute(this.#statements.write, [
      leaseTable,
      new Date(dayOf(beganMs)),
      new Date(beganMs),
      ...[recorder, what, why],
      new Date(untilMs),
      BigInt(untilMs) * 1_000n,
      this.#retentionSeconds,
    ])
  }

  async between(leaseTable: string, fromMs: number, toMs: number): Promise<Stretch[]> {
    const found = await Promise.all(
      daysOf(fromMs, toMs).map((day) =>
        this.#session.execute(this.#statements.ofDay, [leaseTable, new Date(day)]),
      ),
    )
    return (
      found
        // A row that no recorder writes says nothing of what was recorded.
        .flatMap(({ rows }) => rows.flatMap((row) => rowSchema.safeParse(row).data ?? []))
        .map(({ began_at, until_at, ...rest }) => ({
          ...rest,
          beganMs: began_at.getTime(),
          untilMs: until_at.getTime(),
        }))
        .sort((one, other) => one.beganMs - other.beganMs)
    )
  }
}

/** When the last recorder looked last; null: not within these two days. */
export async function recordedUntilMs(
  store: RecordingStore,
  leaseTable: string,
  nowMs: number,
): Promise<number | null> {
  const stretches = await store.between(leaseTable, nowMs - dayMs, nowMs)
  const ends = stretches.filter(({ what }) => what === 'everything').map(({ untilMs }) => untilMs)
  return ends.length === 0 ? null : Math.max(...ends)
}
