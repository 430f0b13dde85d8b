/** The picture of a run, and what it says at any time of it. */
import { describe, expect, it } from 'vitest'
import { pauseWithoutFencing, TestJournal } from '../../../contract/lab/test-journal.ts'
import type { LanesPicture } from './lanes.ts'
import { LanesBuilder } from './lanes-builder.ts'

function built({ ttlSeconds, entries }: TestJournal): LanesBuilder {
  const builder = new LanesBuilder({ ttlSeconds })
  builder.add(entries)
  return builder
}
const lane = (picture: LanesPicture, id: string) => picture.lanes.find((each) => each.id === id)
const words = (picture: LanesPicture) => picture.lanes.map(({ id, words }) => `${id} ${words}`)

describe('a long pause with the deadline check off', () => {
  const builder = built(pauseWithoutFencing())
  const now = builder.at(24_020)

  it('draws who led by Cassandra', () => {
    const bands = now.lanes.map(({ id, leads }) =>
      leads.map(({ fromMs, toMs, end, term }) => [id, fromMs, toMs, end, term]),
    )
    expect(bands).toEqual([
      [['c1', 16, 4_006, 'released', '1']],
      [['c2', 4_066, 16_000, 'expired', '2']],
      [['c3', 16_020, null, null, '3']],
      [],
    ])
  })

  it('draws who believed to lead, and how long wrongly', () => {
    expect(lane(now, 'c2')?.believes).toMatchObject([
      { fromMs: 4_072, toMs: 20_600, deadlineMs: 14_400, wrongly: { fromMs: 16_000, toMs: 20_600 } },
    ])
    expect(lane(now, 'c3')?.believes).toMatchObject([{ toMs: null, deadlineMs: 28_400, wrongly: null }])
  })

  it('draws the column of two that believed at once', () => {
    expect(now.overlaps).toEqual([{ fromMs: 16_026, toMs: 20_600, candidates: ['c2', 'c3'] }])
    expect(now.overlapMs).toBe(4_574)
  })

  it('names the leader, its token, term and expiry', () => {
    expect(now.leader).toEqual({ id: 'c3', sinceMs: 16_020, expiryMs: 30_000, token: '400', term: '3' })
  })

  it('marks the deadline that was ignored, the expiry, and the write that came too late', () => {
    expect(lane(now, 'c2')?.marks.map(({ kind, atMs }) => [kind, atMs])).toEqual([
      ['joined', 0],
      ['deadline-ignored', 14_400],
      ['expired', 16_000],
      ['wrote-after-loss', 20_300],
      ['fence-refused', 20_400],
      ['refused-renewal', 20_596],
    ])
    expect(now.counters).toEqual({
      fenced: { value: 171, applied: 171, answered: 0 },
      unfenced: { value: 160, applied: 1, answered: 1 },
      refused: 1,
    })
  })

  it('counts an addition whose answer was lost in a crash, as the counters do', () => {
    const journal = new TestJournal().joined(0, 'c1', 'c2').takes('c1', 1_000, { token: '100' })
    const add = (candidate: string, atMs: number, before: number) => {
      const total = { fenced: before + 1, unfenced: before + 1, meant: before + 1 }
      journal.statement(candidate, 'unfenced-counter', atMs, { outcome: 'rows' })
      for (const counter of ['fenced', 'unfenced'] as const)
        journal.note('wrote', atMs + 8, { candidate, token: '1', before, counter, outcome: 'written', total })
    }
    add('c1', 2_000, 0)
    journal.statement('c1', 'unfenced-counter', 2_500, { outcome: 'rows' })
    journal.fault('c1', 'crashed', 2_503).takes('c2', 9_000, { token: '200' })
    add('c2', 9_500, 2)
    expect(built(journal).live(9_600).counters).toEqual({
      fenced: { value: 3, applied: 3, answered: 2 },
      unfenced: { value: 3, applied: 3, answered: 2 },
      refused: 0,
    })
  })

  it('draws tries, renewals and hatches', () => {
    expect(lane(now, 'c2')?.tries).toEqual([
      { atMs: 206, applied: false },
      { atMs: 4_066, applied: true },
    ])
    expect(lane(now, 'c2')?.beats.map(({ atMs }) => atMs)).toEqual([6_006, 8_006, 10_006])
    expect(lane(now, 'c2')?.stops).toEqual([{ fault: 'paused', fromMs: 10_600, toMs: 20_000 }])
    expect(lane(now, 'c4')?.stops).toEqual([{ fault: 'cut', fromMs: 17_200, toMs: null }])
  })

  it.each([
    [3_000, ['c1 leads', 'c2 waits', 'c3 waits']],
    [12_000, ['c1 waits', 'c2 paused, leads', 'c3 waits', 'c4 waits']],
    [17_000, ['c1 waits', 'c2 paused, still believes', 'c3 leads', 'c4 waits']],
    [20_100, ['c1 waits', 'c2 still believes', 'c3 leads', 'c4 network cut']],
    [24_020, ['c1 waits', 'c2 waits, lost it at 20.6', 'c3 leads', 'c4 network cut']],
  ])('at %i says what each candidate does', (atMs, said) => {
    expect(words(builder.at(atMs))).toEqual(said)
  })

  it('leaves out what ended before the window', () => {
    const window = builder.at(24_020, 17_000)
    expect(lane(window, 'c1')?.leads).toEqual([])
    expect(lane(window, 'c2')?.leads).toEqual([])
    expect(lane(window, 'c2')?.believes).toHaveLength(1)
    expect(lane(window, 'c3')?.beats).toHaveLength(4)
  })
})

it('the past is what was shown then: it knows of no later entry, and added one by one it is the same', () => {
  const { ttlSeconds, entries } = pauseWithoutFencing()
  const whole = built(pauseWithoutFencing())
  const growing = new LanesBuilder({ ttlSeconds })
  const shown: [number, string][] = []
  for (const [i, entry] of entries.entries()) {
    growing.add([entry])
    if (entries[i + 1]?.atMs === entry.atMs) continue
    shown.push([entry.atMs, JSON.stringify(growing.live(entry.atMs))])
  }
  for (const [atMs, then] of [...shown, ...shown.toReversed()])
    expect(JSON.stringify(whole.at(atMs))).toBe(then)
})

it('entries that come again are passed over', () => {
  const { entries } = pauseWithoutFencing()
  const builder = new LanesBuilder({ ttlSeconds: 6 })
  builder.add(entries.slice(0, 30))
  builder.add(entries.slice(10))
  expect(builder.entries).toEqual(entries)
  expect(builder.nextSeq).toBe(entries.length)
})

describe('beliefs', () => {
  const paused = (check: boolean) =>
    new TestJournal()
      .joined(0, 'c1')
      .check(check, 0)
      .takes('c1', 1_000, { token: '1' })
      .fault('c1', 'paused', 2_000)
  it('end at the deadline while the check is on, though the candidate says nothing', () => {
    const now = built(paused(true)).at(6_500)
    expect(lane(now, 'c1')?.believes).toMatchObject([{ toMs: 5_400, end: 'deadline', wrongly: null }])
    expect(lane(now, 'c1')?.words).toBe('paused, leads')
    expect(lane(now, 'c1')?.marks.map(({ kind }) => kind)).toEqual(['joined'])
  })

  it('go on past it while the check is off', () => {
    const now = built(paused(false)).at(7_500)
    expect(lane(now, 'c1')?.believes).toMatchObject([{ toMs: null, wrongly: { fromMs: 7_000, toMs: null } }])
  })

  it('are cut when the check is switched on after the deadline', () => {
    const now = built(paused(false).check(true, 8_000)).at(9_000)
    expect(lane(now, 'c1')?.believes).toMatchObject([{ fromMs: 1_012, toMs: 8_000, end: 'deadline' }])
  })

  it('end with a crash; the row runs on to its expiry', () => {
    const journal = new TestJournal()
      .joined(0, 'c1')
      .takes('c1', 1_000, { token: '1' })
      .fault('c1', 'crashed', 3_000)
    const now = built(journal).at(4_000)
    expect(lane(now, 'c1')).toMatchObject({
      state: 'crashed-leads',
      believes: [{ toMs: 3_000, end: 'crashed' }],
      leads: [{ toMs: null, expiryMs: 7_000 }],
      presence: [{ fromMs: 0, toMs: 3_000, end: 'crashed' }],
    })
    const later = built(journal).at(7_100)
    expect(lane(later, 'c1')).toMatchObject({ state: 'crashed', leads: [{ toMs: 7_000, end: null }] })
    // No read has said that it is gone: the countdown verifies.
    expect(later.leader).toMatchObject({ id: 'c1', expiryMs: 7_000 })
    const seen = built(journal.seen(null, 7_200)).at(7_300)
    expect(lane(seen, 'c1')).toMatchObject({ leads: [{ toMs: 7_000, end: 'expired' }] })
    expect(seen.leader).toBeNull()
  })
})

describe('bands', () => {
  it('take the expiry of a renewal from its own sending, until a read says it', () => {
    const journal = new TestJournal().joined(0, 'c1').takes('c1', 1_300, { token: '1' })
    journal.statement('c1', 'renew', 3_200)
    expect(built(journal).at(3_300).leader?.expiryMs).toBe(9_000)
    // A read that was sent before the renewal’s answer may still show the version before it.
    journal.seen('c1', 3_210, { sentAtMs: 3_201, version: '1', expiryMs: 7_000 })
    expect(built(journal).at(3_300).leader?.expiryMs).toBe(9_000)
    journal.seen('c1', 3_250, { version: '2', expiryMs: 9_000 })
    expect(built(journal).at(3_300).leader?.expiryMs).toBe(9_000)
  })

  it('believe the least expiry of one version: a read over a second’s edge is one second high', () => {
    const journal = new TestJournal().joined(0, 'c1').takes('c1', 1_300, { token: '5' })
    journal.seen('c1', 2_001, { version: '5', expiryMs: 8_000 })
    expect(built(journal).at(3_000).leader?.expiryMs).toBe(7_000)
  })

  it('a late renewal may shorten the row: the newer version counts', () => {
    const journal = new TestJournal().joined(0, 'c1').takes('c1', 1_300, { token: '5' })
    journal.renews('c1', 4_000, { version: '8' })
    journal.seen('c1', 5_000, { version: '9', expiryMs: 9_000 })
    expect(built(journal).at(5_100).leader?.expiryMs).toBe(9_000)
  })

  it('begin at a read when the answer of the acquisition was lost', () => {
    const journal = new TestJournal().joined(0, 'c1')
    journal.statement('c1', 'acquire', 1_000, { answeredMs: 3_000, outcome: 'unknown' })
    journal.seen('c1', 1_500, { version: '5', expiryMs: 7_000 })
    const now = built(journal).at(3_600)
    expect(lane(now, 'c1')).toMatchObject({
      leads: [{ fromMs: 1_500, toMs: null }],
      tries: [{ applied: null }],
      words: 'leads, does not know it',
    })
  })

  it('a read that was sent before an acquisition’s answer does not deny it', () => {
    const journal = new TestJournal().joined(0, 'c1')
    journal.statement('c1', 'acquire', 1_000, { answeredMs: 1_010 })
    journal.seen(null, 1_020, { sentAtMs: 1_005 })
    expect(built(journal).at(1_030).leader?.id).toBe('c1')
    journal.seen(null, 1_040, { sentAtMs: 1_031 })
    expect(built(journal).at(1_050).leader).toBeNull()
  })

  it('two of them at once are both drawn', () => {
    const journal = new TestJournal().joined(0, 'c1', 'c2').takes('c1', 1_000, { token: '1' })
    journal.statement('c2', 'acquire', 3_000)
    const now = built(journal).at(4_000)
    expect(now.lanes.map(({ leads }) => leads.at(-1)?.toMs)).toEqual([null, null])
  })

  it('a release whose answer comes late ends where the next one begins', () => {
    const journal = new TestJournal().joined(0, 'c1', 'c2').takes('c1', 1_000, { token: '1' })
    journal.statement('c1', 'release', 3_000, { answeredMs: 3_050 })
    journal.statement('c2', 'acquire', 3_010, { answeredMs: 3_030 })
    const now = built(journal).at(4_000)
    expect(lane(now, 'c1')?.leads).toMatchObject([{ toMs: 3_030, end: 'released' }])
    expect(lane(now, 'c2')?.leads).toMatchObject([{ fromMs: 3_030, toMs: null }])
  })

  it('a kill ends the row, not the belief; a break keeps the name free', () => {
    const killed = new TestJournal().joined(0, 'c1', 'c2').takes('c1', 1_000, { token: '1' })
    killed.statement('lab', 'kill', 2_000, { owner: 'c1:1' })
    const now = built(killed).at(2_500)
    expect(lane(now, 'c1')).toMatchObject({
      leads: [{ toMs: 2_006, end: 'forced' }],
      state: 'still-believes',
    })
    expect(lane(now, 'c1')?.marks.at(-1)).toEqual({ kind: 'released-by-force', atMs: 2_006, text: 'killed' })

    const broken = new TestJournal().joined(0, 'c1').takes('c1', 1_000, { token: '1' })
    broken.statement('lab', 'break', 2_000, { owner: 'c1:1' })
    broken.seen(null, 2_100, { owner: '!quarantine:1', expiryMs: 12_000 })
    expect(built(broken).at(3_000).quarantinedUntilMs).toBe(12_000)
    expect(built(broken).at(13_000).quarantinedUntilMs).toBeNull()
  })

  it.each([
    ['kill of a former owner', 'kill', { owner: 'c1:1', outcome: 'not-applied' }],
    ['kill that did not reach Cassandra', 'kill', { owner: 'c1:2', outcome: 'unavailable' }],
    ['kill that Cassandra refused', 'kill', { owner: 'c1:2', outcome: 'refused' }],
    ['break that found another holder', 'break', { owner: 'c1:2', outcome: 'not-applied' }],
    ['kill of another owner', 'kill', { owner: 'c3:1', answeredMs: null }],
    ['release of its own that did not reach Cassandra', 'release', { outcome: 'unavailable' }],
  ] as const)('a %s hides no second leader', (_, purpose, answer) => {
    const journal = new TestJournal().joined(0, 'c1', 'c2').takes('c1', 1_000, { token: '2' })
    journal.statement(purpose === 'release' ? 'c1' : 'lab', purpose, 2_000, answer)
    journal.statement('c2', 'acquire', 3_000, { owner: 'c2:1' })
    const now = built(journal).at(4_000)
    expect(now.lanes.map(({ leads }) => leads)).toMatchObject([[{ toMs: null }], [{ toMs: null }]])
  })

  it('a kill whose answer never came, or came late, ends the band of its owner', () => {
    const unanswered = new TestJournal().joined(0, 'c1', 'c2').takes('c1', 1_000, { token: '2' })
    unanswered.statement('lab', 'kill', 2_000, { owner: 'c1:2', outcome: 'unknown' })
    unanswered.statement('lab', 'kill', 2_500, { owner: 'c1:2', outcome: 'not-applied' })
    unanswered.statement('c2', 'acquire', 3_000, { owner: 'c2:1' })
    expect(lane(built(unanswered).at(4_000), 'c1')?.leads).toMatchObject([{ toMs: 3_006, end: 'released' }])

    const late = new TestJournal().joined(0, 'c1', 'c2').takes('c1', 1_000, { token: '2' })
    late.statement('lab', 'kill', 2_000, { owner: 'c1:2', answeredMs: 3_500 })
    late.statement('c2', 'acquire', 3_000, { owner: 'c2:1' })
    const now = built(late).at(4_000)
    expect(lane(now, 'c1')?.leads).toMatchObject([{ toMs: 3_006, end: 'released' }])
    // The kill named the row of c1: that of c2 stays.
    expect(lane(now, 'c2')?.leads).toMatchObject([{ fromMs: 3_006, toMs: null }])
  })

  it('a statement that was held back and let go is marked as late', () => {
    const journal = new TestJournal().joined(0, 'c1').takes('c1', 1_000, { token: '1' })
    const statement = journal.statement('c1', 'renew', 2_000, { answeredMs: 4_510 })
    journal.note('let-go', 4_500, { statement })
    const now = built(journal).at(5_000)
    expect(lane(now, 'c1')?.marks.at(-1)).toMatchObject({ kind: 'late-applied', atMs: 4_510 })
    expect(now.leader?.expiryMs).toBe(10_000)
  })
})

describe('hatches end', () => {
  const stopped = () =>
    new TestJournal().joined(0, 'c1').fault('c1', 'paused', 1_000).fault('c1', 'cut', 1_500)
  const stopsOf = (journal: TestJournal) => lane(built(journal).at(9_000), 'c1')?.stops

  it('when the candidate leaves', () => {
    expect(stopsOf(stopped().note('left', 3_000, { candidate: 'c1' }))).toMatchObject([
      { fault: 'paused', toMs: 3_000 },
      { fault: 'cut', toMs: 3_000 },
    ])
  })

  it('when it crashes: then it is crashed, until its id joins again', () => {
    const journal = stopped().fault('c1', 'crashed', 3_000)
    const before = [
      { fault: 'paused', toMs: 3_000 },
      { fault: 'cut', toMs: 3_000 },
    ]
    expect(stopsOf(journal)).toMatchObject([...before, { fault: 'crashed', fromMs: 3_000, toMs: null }])
    expect(stopsOf(journal.joined(4_000, 'c1'))).toMatchObject([
      ...before,
      { fault: 'crashed', fromMs: 3_000, toMs: 4_000 },
    ])
  })
})

it('says when a lease was lost as the axis does', () => {
  const journal = new TestJournal().joined(0, 'c1').takes('c1', 78_000, { token: '1' })
  expect(words(built(journal).at(86_000))).toEqual(['c1 waits, lost it at 1:22.4'])
})

it('an addition that was sent before a clean release, and noted after it, is no write after a loss', () => {
  const journal = new TestJournal().joined(0, 'c1').takes('c1', 1_000, { token: '1' })
  journal.statement('c1', 'unfenced-counter', 1_998, { answeredMs: 2_010 })
  journal.releases('c1', 2_000)
  const additions = { candidate: 'c1', token: '1', before: 0, total: { fenced: 1, unfenced: 1, meant: 1 } }
  journal.note('wrote', 2_012, { ...additions, counter: 'unfenced', outcome: 'written' })
  expect(lane(built(journal).at(3_000), 'c1')?.marks.map(({ kind }) => kind)).toEqual(['joined', 'resigned'])
})

it('a write in a quarantine is no write after a loss, and the plain client leaves when it releases', () => {
  const journal = new TestJournal().joined(0, 'c1').takes('c1', 1_000, { token: '1' })
  journal.statement('lab', 'break', 2_000, { owner: 'c1:1' })
  const additions = { candidate: 'c1', token: '1', before: 0, total: { fenced: 1, unfenced: 1, meant: 1 } }
  journal.note('wrote', 2_500, { ...additions, counter: 'unfenced', outcome: 'written' })
  journal.statement('plain', 'acquire', 20_000, { owner: 'plain:1' })
  journal.statement('plain', 'release', 22_000, { owner: 'plain:1' })
  const builder = built(journal)
  expect(lane(builder.at(3_000), 'c1')?.marks.map(({ kind }) => kind)).toEqual([
    'joined',
    'released-by-force',
  ])
  expect(lane(builder.at(21_000), 'plain')?.words).toBe('leads')
  expect(lane(builder.at(23_000), 'plain')?.words).toBe('left')
})

it('of 10,000 entries a window holds what it shows', () => {
  const journal = new TestJournal().joined(0, 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8')
  for (let at = 1_000, i = 0; i < 1_400; at += 640, i++) {
    const leader = `c${1 + (Math.floor(i / 10) % 8)}`
    if (i % 10 === 0) journal.takes(leader, at, { token: `${at}`, term: `${i}` })
    else if (i % 10 === 9) journal.releases(leader, at)
    else journal.renews(leader, at, { version: `${at}` })
    journal.refused(`c${1 + (i % 8)}`, at + 100).refused(`c${1 + ((i + 1) % 8)}`, at + 200)
  }
  const { entries } = journal
  expect(entries.length).toBeGreaterThan(10_000)
  const builder = built(journal)
  const { lanes } = builder.live(builder.lastMs, builder.lastMs - 30_000)
  const drawn = lanes.flatMap(({ leads, believes, beats, tries, marks }) => [
    leads,
    believes,
    beats,
    tries,
    marks,
  ])
  expect(drawn.flat().length).toBeLessThan(300)
  expect(drawn.flat().length).toBeGreaterThan(100)
})

it('a read that shows a tenure before its acquisition is answered begins the same band', () => {
  const journal = new TestJournal().joined(0, 'c1')
  journal.statement('c1', 'acquire', 1_000, { owner: 'c1:100', answeredMs: 1_030 })
  journal.seen('c1', 1_020, { owner: 'c1:100', version: '100', expiryMs: 7_000 })
  journal.note('leads', 1_040, {
    candidate: 'c1',
    owner: 'c1:100',
    token: '100',
    term: '1',
    deadlineMs: 5_400,
  })
  const bands = lane(built(journal).at(3_000), 'c1')?.leads
  expect(bands).toMatchObject([{ fromMs: 1_020, toMs: null, token: '100', term: '1' }])
})
