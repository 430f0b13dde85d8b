/** Journals for tests: what the lab would have noted, in a line each. */
import type { Entry, EntryKind, JournalEntry, LabFault, StatementPurpose } from './journal.ts'

type Fields<K extends EntryKind> = Omit<Entry<K>, 'seq' | 'kind' | 'atMs'>
type Outcome = Entry<'answered'>['outcome']

interface Answer {
  /** Default: 6 ms after it was sent. null: none comes. */
  readonly answeredMs?: number | null
  readonly outcome?: Outcome
  readonly found?: string | null
  /** Default: the owner of the sender’s last tenure. */
  readonly owner?: string
}

interface Row {
  readonly owner?: string | null
  readonly version?: string | null
  readonly expiryMs?: number | null
  readonly sentAtMs?: number
  readonly value?: string | null
}

/** Entries may be added in any order: `entries` has them in that of their times. */
export class TestJournal {
  readonly ttlSeconds: number
  readonly #noted: JournalEntry[] = []
  readonly #owners = new Map<string, string>()
  #statements = 0

  constructor(ttlSeconds = 6) {
    this.ttlSeconds = ttlSeconds
  }

  get entries(): JournalEntry[] {
    return this.#noted.toSorted((a, b) => a.atMs - b.atMs).map((entry, seq) => ({ ...entry, seq }))
  }

  note<K extends EntryKind>(kind: K, atMs: number, fields: Fields<K>): this {
    this.#noted.push({ seq: 0, kind, atMs, ...fields } as unknown as JournalEntry)
    return this
  }

  joined(atMs: number, ...candidates: string[]): this {
    for (const candidate of candidates) this.note('joined', atMs, { candidate })
    return this
  }

  /** @returns the statement’s number */
  statement(by: string, purpose: StatementPurpose, sentMs: number, answer: Answer = {}): number {
    const statement = ++this.#statements
    const owner = answer.owner ?? this.#owners.get(by)
    const params = owner === undefined ? [] : ['lease', owner]
    this.note('sent', sentMs, { statement, by, purpose, cql: `${purpose} by ${by}`, params })
    const { answeredMs = sentMs + 6, outcome = 'applied', found = null } = answer
    if (answeredMs !== null)
      this.note('answered', answeredMs, { statement, outcome, found, tookMs: answeredMs - sentMs })
    return statement
  }

  /** Acquires, reads its token, and leads: deadline by the library’s rule, with a skew of 600 ms. */
  takes(
    candidate: string,
    sentMs: number,
    { token, term, owner = `${candidate}:${token}` }: { token: string; term?: string; owner?: string },
  ): this {
    this.#owners.set(candidate, owner)
    this.statement(candidate, 'acquire', sentMs)
    this.seen(candidate, sentMs + 9, { owner, version: token, expiryMs: this.expiryOf(sentMs) })
    const deadlineMs = this.deadlineOf(sentMs)
    return this.note('leads', sentMs + 12, { candidate, owner, token, term: term ?? null, deadlineMs })
  }

  renews(candidate: string, sentMs: number, { version }: { version: string }): this {
    this.statement(candidate, 'renew', sentMs)
    const deadlineMs = this.deadlineOf(sentMs)
    this.note('renewed', sentMs + 6, { candidate, deadlineMs, marginMs: 2_400 })
    return this.seen(candidate, sentMs + 9, { version, expiryMs: this.expiryOf(sentMs) })
  }

  releases(candidate: string, sentMs: number, reason: Entry<'lost'>['reason'] = 'resigned'): this {
    this.statement(candidate, 'release', sentMs)
    return this.note('lost', sentMs, { candidate, reason }).seen(null, sentMs + 9)
  }

  refused(candidate: string, sentMs: number, found: string | null = null): this {
    const owner = `${candidate}:at-${sentMs}`
    this.statement(candidate, 'acquire', sentMs, { outcome: 'not-applied', found, owner })
    return this
  }

  lost(candidate: string, atMs: number, reason: Entry<'lost'>['reason']): this {
    return this.note('lost', atMs, { candidate, reason })
  }

  /** A read that took 2 ms, unless it says when it was sent. */
  seen(candidate: string | null, atMs: number, row: Row = {}): this {
    const last = candidate === null ? null : (this.#owners.get(candidate) ?? `${candidate}:0`)
    const { owner = last, version = null, expiryMs = null, value = null } = row
    const sentAtMs = row.sentAtMs ?? atMs - 2
    return this.note('seen', atMs, { candidate, owner, version, expiryMs, value, sentAtMs })
  }

  fault(candidate: string, fault: LabFault, atMs: number, on = true, ms: number | null = null): this {
    return this.note('fault', atMs, { candidate, fault, on, ms })
  }

  check(on: boolean, atMs: number): this {
    return this.note('deadline-check', atMs, { on })
  }

  /** Seconds of Cassandra begin with those of the run. */
  expiryOf(sentMs: number): number {
    return Math.floor(sentMs / 1000) * 1000 + this.ttlSeconds * 1000
  }

  deadlineOf(sentMs: number): number {
    return sentMs + (this.ttlSeconds - 1) * 1000 - 600
  }
}

const counted = { fenced: 171, unfenced: 160, meant: 171 }

/** A long pause without fencing: c2 stops at 10.6 s, and writes at 20.3 s as if it still led. */
export function pauseWithoutFencing(): TestJournal {
  const journal = new TestJournal()
  journal.joined(0, 'c1', 'c2', 'c3').check(false, 0)
  journal
    .takes('c1', 10, { token: '100', term: '1' })
    .refused('c2', 200)
    .renews('c1', 2_000, { version: '110' })
  journal.releases('c1', 4_000)
  journal.takes('c2', 4_060, { token: '200', term: '2' }).refused('c3', 4_100, 'c2:200').joined(8_000, 'c4')
  for (const at of [6_000, 8_000, 10_000]) journal.renews('c2', at, { version: `${200 + at / 100}` })
  journal.refused('c1', 10_020, 'c2:200').refused('c3', 10_050, 'c2:200').refused('c4', 8_100)
  journal.fault('c2', 'paused', 10_600)
  journal
    .takes('c3', 16_014, { token: '400', term: '3' })
    .refused('c1', 16_025, 'c3:400')
    .refused('c4', 16_030, 'c3:400')
  journal.fault('c4', 'cut', 17_200)
  for (const at of [18_000, 20_000, 22_000]) journal.renews('c3', at, { version: `${400 + at / 1000}` })
  journal.fault('c2', 'paused', 20_000, false)
  const by = { candidate: 'c2', token: '200', before: 147, total: counted }
  journal.note('wrote', 20_300, { ...by, counter: 'unfenced', outcome: 'lost-update' })
  journal.note('wrote', 20_400, { ...by, counter: 'fenced', outcome: 'refused' })
  journal.statement('c2', 'renew', 20_590, { outcome: 'not-applied', found: 'c3:400' })
  journal.lost('c2', 20_600, 'not-holder')
  return journal.renews('c3', 24_000, { version: '440' })
}
