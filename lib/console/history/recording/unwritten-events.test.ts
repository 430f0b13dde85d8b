/** A recorder dies with an event that it could not write: the next one writes it, or its time is not observed. */
import { expect, it } from 'vitest'
import { dayMs } from '../recordings.ts'
import { recorderLease } from './recorder.ts'
import { brief, type Instance, setUp } from './test-instances.ts'

const day = Date.UTC(2026, 0, 1)
const noon = day + dayMs / 2
const midnight = day + dayMs
type World = ReturnType<typeof setUp>

/** The event comes 20 s before this time, and the recorder dies 20 s after it. The other instance watched from the start. */
async function recorderDiesAround(ms: number) {
  const world = setUp(ms - 30_000 + 250)
  const { clock, events, instance, acquire } = world
  const first = instance()
  await clock.advance(3_000)
  const second = instance()
  await clock.advance(7_000)
  events.fault = () => 'unavailable'
  await acquire('a', 600)
  const acquiredMs = clock.now().wallMs
  await clock.advance(40_000)
  first.isCutOff = true
  events.fault = () => undefined
  await clock.advance(120_000)
  return { ...world, acquiredMs, end: () => end(first, second) }
}

function end(...instances: Instance[]): void {
  for (const { closing } of instances) closing.abort()
}

const isMissing = async ({ gaps }: World, atMs: number) =>
  (await gaps()).some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)

it.each([
  ['at noon', noon],
  ['around midnight', midnight],
])('%s: the stretch ends before the event, and the next recorder writes it', async (_, ms) => {
  const died = await recorderDiesAround(ms)
  expect(await isMissing(died, died.acquiredMs)).toBe(true)
  expect((await died.history()).events.map(brief)).toEqual(['acquired a'])
  died.end()
})

it('a day ends once what happened before midnight is written, and nothing is missing then', async () => {
  const { clock, events, recordings, instance, acquire, gaps } = setUp(midnight - 30_000 + 250)
  const one = instance()
  await clock.advance(10_000)
  const before = await gaps()
  events.fault = () => 'unavailable'
  await acquire('a', 600)
  const acquiredMs = clock.now().wallMs
  await clock.advance(60_000)
  expect((await recordings.between()).map(({ untilMs }) => untilMs <= acquiredMs)).toEqual([true])
  events.fault = () => undefined
  await clock.advance(10_000)
  const stretches = await recordings.between()
  expect(stretches.map(({ beganMs }) => beganMs >= midnight)).toEqual([false, true])
  expect([stretches[0]?.untilMs, stretches[1]?.beganMs]).toEqual([midnight, midnight])
  expect(stretches[1]?.untilMs).toBeGreaterThan(midnight + 40_000)
  expect(await gaps()).toEqual(before)
  end(one)
})

it('a day ends at midnight although the queue of events is full', async () => {
  const { clock, store, events, recordings, instance } = setUp(midnight - 5_000 + 250)
  const one = instance(20)
  await clock.advance(6_000)
  events.fault = () => 'unavailable'
  for (let count = 0; count < 20; count++) store.plain.insertIfNotExists(`many/${count}`, 'a', null, 600)
  await clock.advance(10_000)
  const [yesterday] = await recordings.between()
  expect(yesterday?.untilMs).toBe(midnight)
  end(one)
})

it('sends no event again once it has lost the recorder’s lease, though it reaches Cassandra', async () => {
  const { clock, events, store, workers, instance, acquire } = setUp(noon)
  const { closing } = instance()
  await clock.advance(10_000)
  events.fault = () => 'unavailable'
  await acquire('a', 600)
  await clock.advance(5_000)
  const before = events.writes
  expect(before).toBeGreaterThan(0)
  const owner = (await clock.run(workers.read(recorderLease)))?.owner as string
  await store.release({ name: recorderLease, owner })
  store.plain.insertIfNotExists(recorderLease, 'another', null, 600)
  // Its next renewal tells it.
  await clock.advance(20_000)
  const lost = events.writes
  await clock.advance(60_000)
  expect(events.writes).toBe(lost)
  closing.abort()
})
