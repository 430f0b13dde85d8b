/** A journal, entry by entry, into what its lanes show. */
import type {
  Entry,
  EntryKind,
  JournalEntry,
  LabFault,
  StatementPurpose,
} from '../../../contract/lab/journal.ts'
import { ownerOf } from '../../../contract/lab/owner-ids.ts'
import { UnfencedAdditions } from '../../../contract/lab/unfenced-additions.ts'
import { BeliefFrames } from './belief-frames.ts'
import { type LaneRecord, mark, newLane } from './lane-record.ts'
import type { Counters, LaneId } from './lanes.ts'
import { LeadBands } from './lead-bands.ts'

/** A statement whose answer is awaited, or came. */
interface Statement {
  readonly by: Entry<'sent'>['by']
  readonly purpose: Entry<'sent'>['purpose']
  readonly owner: string | null
  /** When it went to Cassandra. */
  sentMs: number
  late: boolean
}

const nothing = { value: 0, applied: 0, answered: 0 }
const noCounters: Counters = { fenced: nothing, unfenced: nothing, refused: 0 }
const stopping: readonly LabFault[] = ['paused', 'cut', 'crashed']
const isLane = (by: string): boolean => by !== 'lab'
const mayEnd = (purpose: StatementPurpose): boolean =>
  purpose === 'release' || purpose === 'break' || purpose === 'kill'
const forcedWords = { break: 'broken', kill: 'killed' } as const

export class RunFold {
  readonly lanes = new Map<LaneId, LaneRecord>()
  readonly bands: LeadBands
  readonly beliefs = new BeliefFrames()
  readonly #statements = new Map<number, Statement>()
  /** When each candidate last sent an addition. */
  readonly #addedMs = new Map<LaneId, number>()
  readonly #unfenced = new UnfencedAdditions()
  counters: Counters | null = null
  quarantinedUntilMs: number | null = null
  ended: Entry<'ended'>['why'] | null = null

  constructor(ttlSeconds: number) {
    this.bands = new LeadBands(ttlSeconds, (id) => this.#lane(id))
  }

  readonly #take: { [K in EntryKind]?: (entry: Entry<K>) => void } = {
    joined: ({ candidate, atMs }) => this.#joined(this.#lane(candidate), atMs),
    left: ({ candidate, atMs }) => this.#left(this.#lane(candidate), atMs),
    sent: (entry) => this.#sent(entry),
    'let-go': (entry) => this.#letGo(entry),
    answered: (entry) => this.#answered(entry),
    delivered: (entry) => this.#delivered(entry),
    leads: (entry) => this.#leads(entry),
    renewed: (entry) => this.#renewed(entry),
    lost: (entry) => this.#lost(entry),
    seen: (entry) => this.#seen(entry),
    fault: (entry) => this.#fault(entry),
    'deadline-check': ({ on, atMs }) => this.beliefs.switchCheck(on, atMs),
    act: (entry) => this.#act(entry),
    wrote: (entry) => this.#wrote(entry),
    bakery: ({ candidate }) => void this.#lane(candidate),
    ended: ({ why }) => {
      this.ended = why
    },
  }

  apply(entry: JournalEntry): void {
    this.#unfenced.take(entry)
    const take = this.#take[entry.kind] as ((entry: JournalEntry) => void) | undefined
    take?.(entry)
  }

  #lane(id: LaneId): LaneRecord {
    const known = this.lanes.get(id)
    if (known !== undefined) return known
    const lane = newLane(id)
    this.lanes.set(id, lane)
    return lane
  }

  #joined(lane: LaneRecord, atMs: number): void {
    this.#endStops(lane, atMs)
    lane.faults.clear()
    lane.presence.push({ fromMs: atMs, toMs: null, end: null })
    mark(lane, 'joined', atMs, 'joined')
  }

  #left(lane: LaneRecord, atMs: number): void {
    this.#endStops(lane, atMs)
    this.#endPresence(lane, atMs, 'left')
    mark(lane, 'left', atMs, 'left')
  }

  #endPresence(lane: LaneRecord, atMs: number, end: 'left' | 'crashed'): void {
    const last = lane.presence.at(-1)
    if (last === undefined || last.toMs !== null) return
    last.toMs = atMs
    last.end = end
  }

  #sent(entry: Entry<'sent'>): void {
    const { statement, by, purpose, cql, atMs } = entry
    const owner = ownerOf(entry)
    if (purpose === 'unfenced-counter' && !/^\s*SELECT/i.test(cql)) this.#addedMs.set(by, atMs)
    this.#statements.set(statement, { by, purpose, owner, sentMs: atMs, late: false })
    if (isLane(by)) this.#lane(by)
    if (mayEnd(purpose)) this.bands.endSent(owner)
  }

  #letGo({ statement, atMs }: Entry<'let-go'>): void {
    const sent = this.#statements.get(statement)
    if (sent === undefined) return
    sent.sentMs = atMs
    sent.late = true
  }

  #delivered({ statement, as }: Entry<'delivered'>): void {
    const sent = this.#statements.get(statement)
    if (sent !== undefined && as !== 'answer') sent.late = true
  }

  #answered({ statement, outcome, atMs }: Entry<'answered'>): void {
    const sent = this.#statements.get(statement)
    if (sent === undefined) return
    const { by, purpose, owner, sentMs } = sent
    const applied = outcome === 'applied'
    if (mayEnd(purpose) && outcome !== 'unknown') this.bands.endAnswered(owner)
    if (applied && (purpose === 'break' || purpose === 'kill'))
      this.bands.forced(owner, atMs, forcedWords[purpose])
    if (!isLane(by)) return
    const lane = this.#lane(by)
    if (purpose === 'acquire' && outcome !== 'unavailable')
      lane.tries.push({ atMs, applied: outcome === 'unknown' ? null : applied })
    if (purpose === 'renew' && outcome === 'not-applied') mark(lane, 'refused-renewal', atMs, 'refused')
    if (!applied) return
    if (purpose === 'acquire') this.bands.acquired(by, owner, { sentMs, atMs })
    else if (purpose === 'renew') {
      this.bands.renewed(by, sentMs, atMs)
      lane.beats.push({ atMs, marginMs: null })
    } else if (purpose === 'release') this.bands.released(by, atMs)
    else return
    if (sent.late) mark(lane, 'late-applied', atMs, 'applied late')
  }

  #leads(entry: Entry<'leads'>): void {
    const lane = this.#lane(entry.candidate)
    this.beliefs.leads(lane, entry)
    const band = this.bands.openOf(entry.candidate)
    if (band === undefined || band.token !== null) return
    band.token = entry.token
    band.term = entry.term
  }

  #renewed(entry: Entry<'renewed'>): void {
    const lane = this.#lane(entry.candidate)
    this.beliefs.renewed(lane, entry)
    const beat = lane.beats.at(-1)
    if (beat !== undefined && beat.marginMs === null) beat.marginMs = entry.marginMs
  }

  #lost({ candidate, reason, atMs }: Entry<'lost'>): void {
    const lane = this.#lane(candidate)
    this.beliefs.lost(lane, atMs, reason)
    if (reason === 'resigned') mark(lane, 'resigned', atMs, 'resigned')
  }

  #seen(entry: Entry<'seen'>): void {
    if (entry.candidate !== null) this.#lane(entry.candidate)
    this.bands.seen(entry)
    // The mark of a quarantine is the owner of none of this run’s candidates.
    if (entry.owner === null || entry.candidate !== null) this.quarantinedUntilMs = null
    else this.quarantinedUntilMs = entry.expiryMs
  }

  #fault({ candidate, fault, on, atMs }: Entry<'fault'>): void {
    const lane = this.#lane(candidate)
    if (on) lane.faults.add(fault)
    else lane.faults.delete(fault)
    if (!stopping.includes(fault)) return
    this.#endStops(lane, atMs, fault === 'crashed' ? stopping : [fault])
    if (on) lane.stops.push({ fault: fault as 'paused' | 'cut' | 'crashed', fromMs: atMs, toMs: null })
    if (fault !== 'crashed' || !on) return
    this.beliefs.lost(lane, atMs, 'crashed')
    this.#endPresence(lane, atMs, 'crashed')
    mark(lane, 'crashed', atMs, 'crashed')
  }

  #endStops(lane: LaneRecord, atMs: number, of: readonly LabFault[] = stopping): void {
    for (const stop of lane.stops) if (of.includes(stop.fault)) stop.toMs ??= atMs
  }

  #act({ safeAtMs }: Entry<'act'>): void {
    if (safeAtMs !== null) this.quarantinedUntilMs = safeAtMs
  }

  #wrote({ candidate, counter, outcome, total, atMs }: Entry<'wrote'>): void {
    const before = this.counters ?? noCounters
    if (counter === 'fenced') {
      const answered = before.fenced.answered + (outcome === 'written' ? 1 : 0)
      const refused = before.refused + (outcome === 'refused' ? 1 : 0)
      this.counters = { ...before, refused, fenced: { value: total.fenced, applied: total.meant, answered } }
    } else {
      const { applied, answered } = this.#unfenced
      this.counters = { ...before, unfenced: { value: total.unfenced, applied, answered } }
    }
    const lane = this.#lane(candidate)
    // Both writes are noted when both have ended: what counts is when they were sent.
    if (ledAt(lane, this.#addedMs.get(candidate) ?? atMs)) return
    // Without another leader, as in a quarantine, such a write does no harm.
    const leader = this.bands.present?.lane ?? candidate
    if (outcome !== 'refused' && leader === candidate) return
    if (outcome === 'refused') mark(lane, 'fence-refused', atMs, 'old token refused')
    else if (counter === 'unfenced') mark(lane, 'wrote-after-loss', atMs, 'stale write')
  }
}

/** Whether the row was the candidate’s at this time. */
const ledAt = (lane: LaneRecord, atMs: number): boolean =>
  lane.bands.some(
    ({ fromMs, toMs, expiryMs }) => fromMs <= atMs && (toMs ?? expiryMs ?? Number.POSITIVE_INFINITY) > atMs,
  )
