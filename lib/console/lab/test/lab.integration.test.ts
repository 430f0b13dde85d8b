import { afterAll, beforeAll, expect, it } from 'vitest'
import { labRunDetailSchema } from '../../../contract/lab/run.ts'
import type { LeaseView } from '../../../leasehold/lease/index.ts'
import { testKeptTtlSeconds } from '../../../leasehold/test/node-session.ts'
import { type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'
import { TestRun } from './test-runs.ts'

let keyspace: string
/** The shortest that a run takes on this node, with the clock skew of an embedded one. */
const ttlSeconds = testKeptTtlSeconds(100)
let console: TestConsole

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
})
afterAll(async () => {
  await console?.context.lab.end()
  await console?.context.session.close()
})

const rowsOf = async (table: string, where: string, params: unknown[]) => {
  const { client } = console.context.session
  return (
    await client.execute(`SELECT * FROM ${keyspace}.${table} WHERE ${where}`, params, { prepare: true })
  ).rows
}
const readLease = (name: string) => console.context.tables.get('leases')?.leases.read(name)
/** From the start of a run to the epoch. The two clocks are read one after the other: of twenty pairs the one with the least between them. */
const wallMs = (run: TestRun, atMs: number) => {
  const { clock } = console.context
  const pairs = Array.from({ length: 20 }, () => {
    const beforeMs = run.nowMs()
    const now = clock.now().wallMs
    const afterMs = run.nowMs()
    return { betweenMs: afterMs - beforeMs, startMs: now - afterMs }
  })
  const [best] = pairs.sort((one, other) => one.betweenMs - other.betweenMs)
  return (best?.startMs ?? Number.NaN) + atMs
}

it('after a crash another candidate leads at the true expiry, and nothing of the run is left at its end', async () => {
  const run = await TestRun.start(console, { scenario: 'crash' }, 'ann')
  const crashed = await run.until('fault', ({ fault }) => fault === 'crashed')
  // A read across the edge of a second says a second too late: of several one does not cross any, also where they are slow.
  const left: (LeaseView | null | undefined)[] = []
  while (left.length < 5) left.push(await readLease(run.name))
  expect(left[0]?.owner?.startsWith(`${crashed.candidate}:`)).toBe(true)
  const [first, second] = [await run.until('leads'), await run.until('leads', ({ seq }) => seq > crashed.seq)]
  expect(second.candidate).not.toBe(first.candidate)
  expect(BigInt(second.token) > BigInt(first.token)).toBe(true)
  expect(Number(second.term)).toBe(Number(first.term) + 1)
  // The mark on the screen is the second at which Cassandra stopped showing the row.
  const ofCrashed = left.filter((view) => view?.owner === left[0]?.owner)
  const trueExpiryMs = Math.min(...ofCrashed.map((view) => view?.expiresAtMs ?? Number.NaN))
  const seen = run.all('seen')
  const last = seen.findLast(({ candidate, seq }) => candidate === first.candidate && seq < second.seq)
  const [mark] = seen
    .filter(({ version }) => version === last?.version)
    .toSorted((one, other) => Number(one.expiryMs) - Number(other.expiryMs))
  expect(mark).toBeDefined()
  // A read tells the server's clock to half the time that it took: on a busy machine the quickest one of the last 20 s too may be
  // slow.
  const tookMs = seen
    .filter(({ seq, expiryMs }) => seq <= (mark?.seq ?? 0) && expiryMs !== null)
    .filter(({ atMs }) => atMs >= (mark?.atMs ?? 0) - 20_000)
    .map(({ atMs, sentAtMs }) => atMs - sentAtMs)
  // Of none the tolerance would be endless.
  expect(tookMs).not.toEqual([])
  const toleranceMs = 60 + Math.min(...tookMs) / 2
  expect(Math.abs(wallMs(run, mark?.expiryMs ?? 0) - trueExpiryMs)).toBeLessThan(toleranceMs)
  const tookOverMs = wallMs(run, second.atMs) - trueExpiryMs
  expect(tookOverMs).toBeGreaterThan(-20)
  // Much less on an idle machine, and on a busy one its statements take longer. Without a look at the expiry another candidate would
  // lead a good part of the TTL of 8 s later.
  const sent = run.all('sent').filter(({ by }) => by === second.candidate)
  const slowMs = run
    .all('answered')
    .filter(({ seq, atMs }) => seq < second.seq && wallMs(run, atMs) > trueExpiryMs)
    .filter(({ statement }) => sent.some((each) => each.statement === statement))
    .reduce((sum, answered) => sum + answered.tookMs, 0)
  expect(tookOverMs).toBeLessThan(5_000 + slowMs)
  await run.until('story-ended')
  await console.context.lab.endRun(run.id)
  expect(run.entries.at(-1)).toMatchObject({ kind: 'ended', why: 'person' })
  expect(await readLease(run.name)).toBeNull()
  expect(await rowsOf('lab_counters', 'run = ?', [run.id])).toEqual([])
  expect(await rowsOf('election_terms', '"group" = ?', [run.name])).toEqual([])
  // Leads by Cassandra: one at a time, by the reads of the lab.
  const owners = run.all('seen').flatMap(({ owner }) => owner ?? [])
  expect(owners.filter((owner, i) => owner !== owners[i - 1])).toHaveLength(2)
})

it('a leader that was paused, with the deadline check off: the fence keeps its counter right', async () => {
  const run = await TestRun.start(console, { scenario: 'pause-unfenced' }, 'ben')
  const resumed = await run.until('fault', ({ fault, on }) => fault === 'paused' && !on)
  // The other leader's write may undo the late one in turn, and be the first of the two to be noted.
  const lost = await run.until(
    'wrote',
    ({ candidate, outcome, seq }) =>
      candidate === resumed.candidate && outcome === 'lost-update' && seq > resumed.seq,
  )
  const refused = await run.until('wrote', ({ outcome }) => outcome === 'refused')
  expect(refused).toMatchObject({ candidate: resumed.candidate, counter: 'fenced' })
  expect(refused.total.fenced).toBe(refused.total.meant)
  // Not the total: the next leader may have read before this write and written after it, which puts its additions back.
  expect(lost.before + 1).toBeLessThan(lost.total.meant)
  await run.until('story-ended')
  await console.context.lab.endRun(run.id)
})

it('paused with the deadline check on, it writes nothing more, and both counters are right', async () => {
  const run = await TestRun.start(console, { candidates: 2, ttlSeconds }, 'cleo')
  const { lab } = console.context
  const { candidate } = await run.until('leads')
  // A write from now: the next one is half a second away, and none is under way when the pause begins.
  const { length } = run.entries
  await run.until('wrote', ({ seq }) => seq >= length)
  await lab.act(run.id, { act: 'fault', candidate, fault: 'paused', on: true }, 'cleo')
  const next = await run.until('leads', (entry) => entry.candidate !== candidate)
  await run.until('wrote', (entry) => entry.candidate === next.candidate)
  await lab.act(run.id, { act: 'fault', candidate, fault: 'paused', on: false }, 'cleo')
  await run.until('lost', (entry) => entry.candidate === candidate)
  await run.until('wrote', ({ seq, total }) => seq > next.seq && total.meant > 4)
  const late = run.all('wrote').filter((entry) => entry.candidate === candidate && entry.seq > next.seq)
  expect(late).toEqual([])
  for (const { total } of run.all('wrote')) expect(total.unfenced).toBe(total.meant)
  await lab.endRun(run.id)
})

it('one run a user, and a permalink that another start can show', async () => {
  const started = await console.api('POST', '/v1/lab/runs', { candidates: 2, ttlSeconds })
  expect(started.status).toBe(201)
  const { run } = started.body
  const streamed = await console.api('GET', `/v1/lab/runs/${run}/stream`)
  expect([streamed.status, streamed.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const again = await console.api('POST', '/v1/lab/runs', {})
  expect(again).toMatchObject({ status: 409, body: { code: 'lab-full' } })
  const wrong = await console.api('POST', `/v1/lab/runs/${run}/acts`, { act: 'resign', candidate: 'c7' })
  expect(wrong).toMatchObject({ status: 409, body: { code: 'lab-refused' } })
  expect((await console.api('POST', `/v1/lab/runs/${run}/acts`, { act: 'join' })).status).toBe(204)
  expect((await console.api('DELETE', `/v1/lab/runs/${run}`)).status).toBe(204)
  const here = labRunDetailSchema.parse((await console.api('GET', `/v1/lab/runs/${run}`)).body)
  expect(here.entries.at(-1)).toMatchObject({ kind: 'ended', why: 'person' })
  const other = await testConsole(keyspace)
  try {
    await expect.poll(async () => (await other.api('GET', `/v1/lab/runs/${run}`)).body.state).toBe('ended')
    const there = labRunDetailSchema.parse((await other.api('GET', `/v1/lab/runs/${run}`)).body)
    expect(there.entries).toEqual(here.entries)
    const { runs } = (await other.api('GET', '/v1/lab/runs')).body
    expect(runs.map((each: { run: string }) => each.run)).toContain(run)
  } finally {
    await other.context.session.close()
  }
  expect((await console.api('GET', '/v1/lab/runs/00000000')).status).toBe(404)
})

it('another instance shows a run while it lasts, and tells the one that runs it that it is watched', async () => {
  const run = await TestRun.start(console, { candidates: 2, ttlSeconds }, 'dora')
  const other = await testConsole(keyspace)
  try {
    const hub = await other.context.lab.open(run.id)
    const texts: string[] = []
    const left = new AbortController()
    const stream = hub.stream(0, 'dora', left.signal)
    stream.open({ write: (text) => texts.push(text) > 0, end: () => {} })
    const watchLease = `leasehold/lab/watch/${run.id}`
    await expect.poll(async () => (await readLease(watchLease))?.owner ?? null).not.toBeNull()
    const { seq } = await run.until('leads')
    await expect.poll(() => hub.source.entries.length).toBeGreaterThan(seq)
    expect(hub.source.entries[seq]).toEqual(run.entries[seq])
    // A viewer is written to in batches.
    await expect.poll(() => texts.join('')).toContain('"kind":"leads"')
    const act = await other.api('POST', `/v1/lab/runs/${run.id}/acts`, { act: 'join' })
    expect(act).toMatchObject({ status: 409, body: { code: 'lab-elsewhere' } })
    await console.context.lab.endRun(run.id)
    await expect.poll(() => texts.join('')).toContain('{"reason":"run"}')
    stream.closed()
    await expect.poll(async () => readLease(watchLease)).toBeNull()
  } finally {
    await other.context.session.close()
  }
})

it('a row that the run did not write is left alone by its acts and by its end', async () => {
  const run = await TestRun.start(console, { candidates: 2, ttlSeconds }, 'emil')
  const { lab } = console.context
  await run.until('leads')
  for (const candidate of ['c1', 'c2']) await lab.act(run.id, { act: 'leave', candidate }, 'emil')
  await expect.poll(() => readLease(run.name)).toBeNull()
  const { client } = console.context.session
  for (const owner of ['job-7:1', 'c1:another-run:host:1', '!quarantine:a-persons-break']) {
    const insert = `INSERT INTO ${keyspace}.leases (name, owner) VALUES (?, ?) IF NOT EXISTS USING TTL 600`
    await client.execute(insert, [run.name, owner], { prepare: true })
    const before = run.all('act').length
    for (const mode of ['ask', 'break', 'kill'] as const)
      await lab.act(run.id, { act: 'release', mode }, 'emil')
    await expect.poll(() => run.all('act').length).toBe(before + 3)
    expect(run.all('act').slice(before)).toMatchObject(Array(3).fill({ owner, outcome: 'not-held' }))
    expect((await readLease(run.name))?.owner).toBe(owner)
    if (owner.startsWith('!')) break
    await client.execute(`DELETE FROM ${keyspace}.leases WHERE name = ? IF EXISTS`, [run.name], {
      prepare: true,
    })
  }
  await lab.endRun(run.id)
  expect((await readLease(run.name))?.owner).toBe('!quarantine:a-persons-break')
})

it('a table that is not trusted any more gets no write: the run ends, and none begins', async () => {
  const run = await TestRun.start(console, { candidates: 3, ttlSeconds }, 'finn')
  const trust = console.context.tables.get('leases')?.trust
  await run.until('leads')
  trust?.lose('Two owners were granted one lease.', console.context.clock.now().wallMs)
  // What was sent before may still be applied.
  const { length } = run.entries
  try {
    const { atMs, detail } = await run.until('ended')
    expect(detail).toContain('writes nothing to the table leases')
    const applied = run.all('answered').filter((entry) => entry.outcome === 'applied' && entry.seq >= length)
    const writes = new Set(['acquire', 'renew', 'release', 'break', 'kill'])
    const late = run
      .all('sent')
      .filter(({ seq, purpose }) => writes.has(purpose) && seq >= length)
      .filter(({ statement }) => applied.some((answer) => answer.statement === statement))
    expect([late, atMs > 0]).toEqual([[], true])
    const refused = await console.api('POST', '/v1/lab/runs', {})
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.body.detail).toContain('canary failed')
  } finally {
    trust?.regain()
  }
})
