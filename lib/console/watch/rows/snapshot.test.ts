import type { RowScan } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { lease, nothing, startMs, toTheEnd } from '../test-rows.ts'
import { HandOvers } from './hand-overs.ts'
import { Snapshot } from './snapshot.ts'
import type { Reading } from './watched-row.ts'

let clock: FakeClock
let snapshot: Snapshot
let handOvers: HandOvers
let due: string[]
let seen: string[]
/** Names that changed. */
let changed: string[]

function start(hasOwner = true): void {
  clock = new FakeClock(startMs)
  due = []
  seen = []
  changed = []
  handOvers = new HandOvers()
  snapshot = new Snapshot(
    { hasOwner, clock, handOvers },
    {
      changed: (before, after) => changed.push((after ?? before)?.name ?? ''),
      due: (name) => due.push(name),
      seen: (name) => seen.push(name),
    },
  )
}
beforeEach(() => start())

/** A whole scan that shows these rows. */
function scan(...readings: Reading[]): void {
  snapshot.beginScan()
  for (const reading of readings) snapshot.add(reading)
  toTheEnd(snapshot.endScan())
}
const quorum = (sent: number, answered = sent) => ({ level: 'QUORUM' as const, sent, answered })
const serial = (sent: number, answered = sent) => ({ level: 'SERIAL' as const, sent, answered })
const job = () => snapshot.rows.get('job')

describe('older knowledge never replaces newer', () => {
  it('a scan that was sent before a renewal shows the version before it', () => {
    snapshot.add(lease('job', serial(2_000), { owner: 'a', writtenMs: 1_900 }))
    snapshot.add(lease('job', quorum(1_000, 2_100), { owner: 'a', writtenMs: 500 }))
    expect(job()).toMatchObject({ version: BigInt(startMs + 1_900) * 1000n, read: { level: 'SERIAL' } })
    expect(due).toEqual([])
  })

  it('a greater version counts, however it was read', () => {
    snapshot.add(lease('job', serial(1_000, 3_000), { owner: 'a', writtenMs: 500 }))
    snapshot.add(lease('job', quorum(2_000), { owner: 'b', writtenMs: 1_500 }))
    expect(job()).toMatchObject({ owner: 'b', read: { level: 'QUORUM' } })
  })

  it('a read that found the row free, sent before the row was seen, causes another one', () => {
    snapshot.add(lease('job', serial(2_000), { owner: 'b', writtenMs: 1_900 }))
    snapshot.add(nothing('job', serial(1_000, 2_500)))
    expect([job()?.owner, due]).toEqual(['b', ['job']])
    snapshot.add(nothing('job', serial(2_600)))
    expect([job(), snapshot.goneAtMs('job')]).toEqual([undefined, startMs + 2_600])
  })

  it('a scan that was sent before the row was found free does not bring it back', () => {
    snapshot.add(lease('job', serial(0), { owner: 'a' }))
    snapshot.add(nothing('job', serial(1_000)))
    snapshot.add(lease('job', quorum(900, 1_200), { owner: 'a' }))
    expect([job(), due]).toEqual([undefined, ['job']])
    snapshot.add(lease('job', quorum(1_300), { owner: 'b', writtenMs: 1_250 }))
    expect([job()?.owner, snapshot.goneAtMs('job')]).toEqual(['b', null])
  })

  it('a scan with a smaller version than is known, sent after it, has to be looked into', () => {
    snapshot.add(lease('job', serial(2_000), { owner: 'a', writtenMs: 1_900 }))
    snapshot.add(lease('job', quorum(3_000), { owner: 'z', writtenMs: 100 }))
    expect([job()?.owner, due]).toEqual(['a', ['job']])
    // After a restore: a SERIAL read that was sent later is the truth, whatever the version.
    snapshot.add(lease('job', serial(3_500), { owner: 'z', writtenMs: 100 }))
    expect(job()?.owner).toBe('z')
  })

  it('a row is confirmed for two seconds after its SERIAL read, then the later scan is what is known', () => {
    snapshot.add(lease('job', serial(1_000), { owner: 'a' }))
    snapshot.add(lease('job', quorum(2_500), { owner: 'a' }))
    expect(job()?.read.level).toBe('SERIAL')
    snapshot.add(lease('job', quorum(3_100), { owner: 'a' }))
    expect(job()?.read).toMatchObject({ level: 'QUORUM', at: { monotonicMs: 3_100 } })
    expect(changed).toEqual(['job'])
  })
})

describe('expiries', () => {
  it('of one write, the smallest that was read counts: now() comes late', () => {
    snapshot.add(lease('job', serial(1_000), { owner: 'a', ttlSeconds: 31 }))
    snapshot.add(lease('job', serial(2_000), { owner: 'a', ttlSeconds: 30 }))
    expect(job()?.expiresAtMs).toBe(startMs + 30_000)
    snapshot.add(lease('job', serial(3_000), { owner: 'a', ttlSeconds: 31 }))
    expect(job()).toMatchObject({
      expiresAtMs: startMs + 30_000,
      valueExpiresAtMs: startMs + 30_000,
      ttlSeconds: 30,
    })
  })

  it('of one statement, the second is the one of its earliest row', () => {
    const { cells } = lease('x', quorum(900), { owner: 'a' }) as { cells: NonNullable<Reading['cells']> }
    const later = { ...cells, serverNowMs: startMs + 1_050 }
    const rows: RowScan['rows'] = [
      { name: 'early', token: '1', cells },
      { name: 'late', token: '2', cells: later },
    ]
    const moment = clock.now()
    toTheEnd(snapshot.addScanned({ rows, nextToken: null, sent: moment, at: moment }))
    expect(snapshot.rows.get('late')?.expiresAtMs).toBe(snapshot.rows.get('early')?.expiresAtMs)
  })

  it('a row whose end has passed is due each second, until a read has said what became of it', async () => {
    snapshot.add(lease('job', serial(0), { owner: 'a', ttlSeconds: 2 }))
    const tick = async (ms: number) => {
      await clock.advance(ms)
      toTheEnd(snapshot.tick())
    }
    await tick(1_900)
    expect(due).toEqual([])
    await tick(200)
    await tick(500)
    expect(due).toEqual(['job'])
    await tick(600)
    expect(due).toEqual(['job', 'job'])
    snapshot.add(nothing('job', serial(3_300)))
    await tick(5_000)
    expect(due).toHaveLength(2)
  })

  it('a scan that shows a row between its end and the look at it does not put off the read that is due', async () => {
    snapshot.add(lease('job', quorum(0), { owner: 'a', ttlSeconds: 2 }))
    await clock.advance(2_050)
    snapshot.add(lease('job', quorum(1_950, 2_050), { owner: 'a', ttlSeconds: 2 }))
    await clock.advance(100)
    toTheEnd(snapshot.tick())
    expect(due).toEqual(['job'])
    await clock.advance(500)
    toTheEnd(snapshot.tick())
    expect(due).toEqual(['job'])
  })

  it('a lease is at risk although it was read again between the moment at which it became so and the look at it', async () => {
    const job15 = { owner: 'host:1:0123456789ab:1', ttlSeconds: 15 }
    snapshot.add(lease('job', serial(0), job15))
    await clock.advance(10_050)
    snapshot.add(lease('job', quorum(10_040, 10_050), job15))
    await clock.advance(100)
    toTheEnd(snapshot.tick())
    expect(job()?.state).toBe('risk')
  })

  it('a lease with a rhythm is at risk when a third of its TTL is left, without any read', async () => {
    snapshot.add(lease('job', serial(0), { owner: 'a', ttlSeconds: 9 }))
    snapshot.add(lease('job', serial(3_000), { owner: 'a', writtenMs: 3_000, ttlSeconds: 9 }))
    snapshot.add(lease('still', serial(3_000), { owner: 'b', writtenMs: 3_000, ttlSeconds: 9 }))
    for (let i = 0; i < 89; i++) {
      await clock.advance(100)
      toTheEnd(snapshot.tick())
    }
    expect(job()?.state).toBe('held')
    await clock.advance(300)
    toTheEnd(snapshot.tick())
    expect([job()?.state, snapshot.rows.get('still')?.state]).toEqual(['risk', 'held'])
    snapshot.add(lease('job', serial(9_300), { owner: 'a', writtenMs: 9_250, ttlSeconds: 9 }))
    expect(job()?.state).toBe('held')
  })
})

describe('tenures', () => {
  it('began before the watch, when the first scan shows them; since their version, when they came later', () => {
    scan(lease('old', quorum(100), { owner: 'a' }))
    expect(snapshot.rows.get('old')).toMatchObject({ heldSinceMs: null, renewed: false })
    expect(seen).toEqual([])
    snapshot.add(lease('new', quorum(5_000), { owner: 'b', writtenMs: 4_200 }))
    expect(snapshot.rows.get('new')?.heldSinceMs).toBe(startMs + 4_200)
    expect(seen).toEqual(['new'])
  })

  it('a renewal keeps the beginning, another owner is another tenure', () => {
    scan()
    snapshot.add(lease('job', serial(1_000), { owner: 'a', writtenMs: 900 }))
    snapshot.add(lease('job', quorum(4_000), { owner: 'a', writtenMs: 3_900 }))
    expect(job()).toMatchObject({ heldSinceMs: startMs + 900, renewed: true })
    expect(seen).toEqual([])
    snapshot.add(lease('job', quorum(7_000), { owner: 'b', writtenMs: 6_900 }))
    expect(job()).toMatchObject({ heldSinceMs: startMs + 6_900, renewed: false })
    expect(seen).toEqual(['job'])
  })

  it('the owner that came back after the lease was free has another tenure', () => {
    scan(lease('job', quorum(100), { owner: 'a' }))
    snapshot.add(nothing('job', serial(1_000)))
    snapshot.add(lease('job', serial(2_000), { owner: 'a', writtenMs: 1_900 }))
    expect(job()).toMatchObject({ heldSinceMs: startMs + 1_900, renewed: false })
  })
})

it('a row that a scan shows no more is due, and one that was read since the scan began is not', async () => {
  scan(lease('gone', quorum(0), { owner: 'a' }), lease('there', quorum(0), { owner: 'a' }))
  await clock.advance(2_000)
  snapshot.beginScan()
  snapshot.add(lease('there', quorum(2_000), { owner: 'a' }))
  snapshot.add(lease('fresh', serial(2_100), { owner: 'a', writtenMs: 2_050 }))
  expect(due).toEqual([])
  toTheEnd(snapshot.endScan())
  expect(due).toEqual(['gone'])
  expect(snapshot.rows.has('gone')).toBe(true)
})

it('a row that ended long before a scan which does not show it is forgotten, without a read', async () => {
  scan(lease('ended', quorum(0), { owner: 'a', ttlSeconds: 5 }), lease('job', quorum(0), { owner: 'a' }))
  await clock.advance(14_000)
  scan(lease('job', quorum(14_000), { owner: 'a' }))
  expect([snapshot.rows.has('ended'), due]).toEqual([true, ['ended']])
  await clock.advance(2_000)
  scan(lease('job', quorum(16_000), { owner: 'a' }))
  expect([[...snapshot.rows.keys()], due]).toEqual([['job'], ['ended']])
  // No SERIAL read has said that it is gone.
  expect(snapshot.goneAtMs('ended')).toBeNull()
})

it('of a table without an owner column, a row is held while it is there', () => {
  start(false)
  const cells = {
    owner: null,
    value: null,
    ownerWritetime: null,
    ownerTtlSeconds: null,
    valueTtlSeconds: null,
    serverNowMs: startMs,
  }
  const of = lease('job', quorum(100), { owner: null })
  scan({ ...of, cells })
  expect(job()).toMatchObject({ state: 'held', heldSinceMs: null, expiresAtMs: null })
  snapshot.add({ ...lease('job', serial(200), { owner: null }), cells })
  expect([job()?.read.level, changed]).toEqual(['SERIAL', ['job']])
})

it('without versions, of two reads that overlapped neither replaces the other: the row is read once more', () => {
  const of = (owner: string, read: Parameters<typeof lease>[1]) => {
    const reading = lease('job', read, { owner })
    return { ...reading, cells: { ...reading.cells, ownerWritetime: null } } as Reading
  }
  snapshot.add(of('a', serial(1_000, 2_000)))
  snapshot.add(of('b', serial(1_500, 2_500)))
  expect([job()?.owner, due]).toEqual(['a', ['job']])
  snapshot.add(of('b', serial(2_600)))
  expect(job()?.owner).toBe('b')
})

describe('a lease that changes hands', () => {
  const taken = async (owner: string, ttlSeconds = 600) => {
    await clock.advance(1_000)
    const { monotonicMs } = clock.now()
    snapshot.add(lease('job', serial(monotonicMs), { owner, writtenMs: monotonicMs - 100, ttlSeconds }))
  }

  it('is flapping after the third time in five minutes, and no more when it stayed with one owner', async () => {
    for (const owner of ['a', 'b', 'c']) await taken(owner)
    expect(job()).toMatchObject({ state: 'held', handOvers: 2 })
    await taken('d')
    expect(job()).toMatchObject({ state: 'flapping', handOvers: 3 })
    await clock.advance(297_900)
    toTheEnd(snapshot.tick())
    expect(job()).toMatchObject({ owner: 'd', state: 'flapping' })
    await clock.advance(200)
    toTheEnd(snapshot.tick())
    expect(job()).toMatchObject({ owner: 'd', state: 'held', handOvers: 2 })
  })

  it('is flapping too when reads found it free in between', async () => {
    for (const owner of ['a', 'b', 'c', 'd']) {
      await taken(owner)
      const { monotonicMs } = clock.now()
      if (owner !== 'd') snapshot.add(nothing('job', serial(monotonicMs + 500)))
    }
    expect(job()).toMatchObject({ state: 'flapping', handOvers: 3 })
  })

  it('is remembered for five minutes after its last change, and no longer', async () => {
    for (const owner of ['a', 'b']) await taken(owner)
    await clock.advance(299_900)
    toTheEnd(snapshot.tick())
    expect(handOvers.size).toBe(1)
    await clock.advance(100)
    toTheEnd(snapshot.tick())
    expect(handOvers.size).toBe(0)
  })

  it('is at risk first: that is more urgent', async () => {
    for (const owner of ['a', 'b', 'c']) await taken(owner)
    await taken('host:1:0123456789ab:1', 6)
    expect(job()?.state).toBe('flapping')
    await clock.advance(3_200)
    toTheEnd(snapshot.tick())
    expect(job()?.state).toBe('risk')
  })
})

describe('while Cassandra does not answer', () => {
  const job15 = { owner: 'host:1:0123456789ab:1', ttlSeconds: 15 }

  it('a row stays in the state of its last read: the pages show that, and the counts contradicted them', async () => {
    snapshot.add(lease('job', serial(0), job15))
    await clock.advance(9_000)
    snapshot.add(lease('job', serial(9_000), job15))
    await clock.advance(2_000)
    toTheEnd(snapshot.tick())
    expect(job()?.state).toBe('risk')
    toTheEnd(snapshot.lose(true))
    expect([job()?.state, changed.length]).toEqual(['held', 3])
    await clock.advance(5_000)
    toTheEnd(snapshot.tick())
    expect([job()?.state, due]).toEqual(['held', ['job']])
  })

  it('a row that is read again says how it is then, and the others once Cassandra answers', async () => {
    toTheEnd(snapshot.lose(true))
    snapshot.add(lease('other', serial(0), job15))
    await clock.advance(11_000)
    snapshot.add(lease('job', serial(11_000), job15))
    toTheEnd(snapshot.tick())
    expect([job()?.state, snapshot.rows.get('other')?.state]).toEqual(['risk', 'held'])
    toTheEnd(snapshot.lose(false))
    expect(snapshot.rows.get('other')?.state).toBe('risk')
  })

  it('a lease that changed hands too often goes on flapping', async () => {
    for (const [i, owner] of ['a', 'b', 'c', 'd'].entries())
      snapshot.add(lease('job', serial(i * 1_000), { owner, writtenMs: i * 1_000, ttlSeconds: 600 }))
    toTheEnd(snapshot.lose(true))
    await clock.advance(400_000)
    toTheEnd(snapshot.tick())
    expect(job()?.state).toBe('flapping')
    toTheEnd(snapshot.lose(false))
    expect(job()?.state).toBe('held')
  })
})
