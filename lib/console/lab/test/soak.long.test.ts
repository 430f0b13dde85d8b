/**
 * A run of eight candidates at the smallest TTL, for as long as a run lasts: memory grows by the journal alone, and at the end no row,
 * timer or socket of the run is left. `LAB_SOAK_MINUTES` makes it shorter (15).
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { systemTimer } from 'leasehold/time'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { labBounds } from '../../../contract/lab/lab-bounds.ts'
import { type TestConsole, testConsole } from '../../test/test-console.ts'
import { TestRun } from './test-runs.ts'

const runMinutes = labBounds.runMs / 60_000
const minutes = Math.min(runMinutes, Number(process.env.LAB_SOAK_MINUTES ?? runMinutes))
const sampleMs = 15_000
/** What else grows a little: the driver’s caches, code that is compiled. */
const slackBytes = 8e6
/** Of an entry as an object, over its text. */
const objectFactor = 3

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const keyspace = `lab_soak_test_${process.pid}`
let console: TestConsole

beforeAll(async () => {
  console = await testConsole(keyspace)
})
afterAll(async () => {
  await console?.context.lab.end()
  await console?.context.session.close()
})

/** Timers and sockets of this process, by kind. */
const resources = () => {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
function heapBytes(): number {
  collect()
  return process.memoryUsage().heapUsed
}
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
const rowsOf = async (table: string, where: string, params: unknown[]) => {
  const { client } = console.context.session
  return (
    await client.execute(`SELECT * FROM ${keyspace}.${table} WHERE ${where}`, params, { prepare: true })
  ).rows
}

it(`eight candidates for ${minutes} minutes: flat memory, and nothing left`, {
  timeout: (minutes + 3) * 60_000,
}, async () => {
  const { lab } = console.context
  // What the first run of a process makes once, such as prepared statements, is no leak of the second.
  const first = await TestRun.start(console, { candidates: 2, ttlSeconds: 6 }, 'warms-up')
  await first.until('wrote')
  await lab.endRun(first.id)
  await expect.poll(async () => (await lab.list('warms-up')).mayNotStart, { timeout: 30_000 }).toBeNull()
  const before = resources()

  const run = await TestRun.start(console, { candidates: 8, ttlSeconds: 6 }, 'soaks')
  const left = new AbortController()
  const stream = (await lab.open(run.id)).stream(0, 'one', left.signal)
  let sentBytes = 0
  stream.open({
    write: (text) => {
      sentBytes += text.length
      return true
    },
    end: () => {},
  })
  await run.until('leads')

  const samples: { heap: number; journal: number; entries: number }[] = []
  let [counted, journal] = [0, 0]
  const endMs = run.nowMs() + minutes * 60_000 - sampleMs
  while (run.nowMs() < endMs) {
    await systemTimer.sleep(sampleMs)
    for (; counted < run.entries.length; counted++) journal += JSON.stringify(run.entries[counted]).length
    samples.push({ heap: heapBytes(), journal, entries: counted })
    // A run in which leaders come and go.
    const leader = run.all('leads').at(-1)?.candidate
    if (leader !== undefined && run.nowMs() < endMs)
      await lab.act(run.id, { act: 'resign', candidate: leader }, 'soaks')
  }
  if (minutes === runMinutes) await run.until('ended', ({ why }) => why === 'time', 120_000)
  else await lab.endRun(run.id)
  stream.closed()

  const [start, end] = [samples[0], samples.at(-1)]
  if (start === undefined || end === undefined) throw new Error('It was too short for a sample.')
  const [grown, written] = [end.heap - start.heap, end.journal - start.journal]
  globalThis.console.log(
    `${end.entries} entries, ${megabytes(end.journal)} as text, ${megabytes(sentBytes)} sent to one viewer; the heap went from ${megabytes(start.heap)} to ${megabytes(end.heap)} while the journal grew by ${megabytes(written)}; ${run.all('leads').length} terms`,
  )
  globalThis.console.log(`heap: ${samples.map(({ heap }) => (heap / 1e6).toFixed(1)).join(' ')}`)
  expect(grown).toBeLessThan(objectFactor * written + slackBytes)

  expect(await rowsOf('leases', 'name = ?', [run.name])).toEqual([])
  expect(await rowsOf('lab_counters', 'run = ?', [run.id])).toEqual([])
  expect(await rowsOf('election_terms', '"group" = ?', [run.name])).toEqual([])
  expect(await rowsOf('lock_tickets', 'name = ?', [run.name])).toEqual([])
  await expect
    .poll(
      () => {
        const now = resources()
        return ['Timeout', 'TCPSocketWrap'].map((kind) => Math.max(0, (now[kind] ?? 0) - (before[kind] ?? 0)))
      },
      { timeout: 30_000 },
    )
    .toEqual([0, 0])
})

it('two hundred viewers of a run cost at most 1.05 times the statements of one', {
  timeout: 240_000,
}, async () => {
  const { lab, session } = console.context
  const run = await TestRun.start(console, { candidates: 3, ttlSeconds: 6 }, 'is-watched')
  const hub = await lab.open(run.id)
  let events = 0
  const leaving: (() => void)[] = []
  const join = () => {
    const left = new AbortController()
    const stream = hub.stream(run.entries.length, 'one', left.signal)
    stream.open({ write: () => ++events > 0, end: () => {} })
    leaving.push(() => stream.closed())
  }
  join()
  await run.until('wrote')

  let executed = 0
  const execute = session.execute.bind(session)
  session.execute = (...args) => {
    executed++
    return execute(...args)
  }
  const statementsOf = async (ms: number) => {
    const before = executed
    await systemTimer.sleep(ms)
    return executed - before
  }
  const windowMs = 45_000
  const ofOne = await statementsOf(windowMs)
  while (leaving.length < 200) join()
  const seen = events
  const ofMany = await statementsOf(windowMs)
  session.execute = execute
  globalThis.console.log(
    `one viewer: ${ofOne} statements in ${windowMs / 1000} s; 200 viewers: ${ofMany}, and ${events - seen} events for them`,
  )
  expect(hub.viewers).toBe(200)
  expect(events - seen).toBeGreaterThan(200 * 20)
  expect(run.all('leads')).toHaveLength(1)
  expect(ofMany).toBeLessThanOrEqual(ofOne * 1.05)
  for (const leave of leaving) leave()
  await lab.endRun(run.id)
})
