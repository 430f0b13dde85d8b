import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { ListSlots, listsAtOnce, listsOfOneSender } from './list-slots.ts'

/** Lists that end when the test says so. */
function lists(slots: ListSlots) {
  const begun: { name: string; end(): void }[] = []
  const run = (name: string, sender = name, signal?: AbortSignal) =>
    slots.run(
      sender,
      () => new Promise<string>((done) => begun.push({ name, end: () => done(name) })),
      signal,
    )
  return { begun, run }
}
const turn = () => new Promise((done) => setImmediate(done))

it('carries out eight lists at once, and the others in turn', async () => {
  const { begun, run } = lists(new ListSlots(new FakeClock()))
  const all = Array.from({ length: 20 }, (_, i) => run(`${i}`))
  await turn()
  expect(begun).toHaveLength(listsAtOnce)
  for (let i = 0; i < 20; i++) {
    await turn()
    begun[i]?.end()
  }
  expect(await Promise.all(all)).toHaveLength(20)
})

it('refuses a list that had no turn for two seconds, with a Retry-After', async () => {
  const clock = new FakeClock()
  const { begun, run } = lists(new ListSlots(clock))
  const all = Array.from({ length: listsAtOnce }, (_, i) => run(`${i}`))
  const late = run('late').catch((problem) => problem)
  await clock.advance(2_000)
  expect(await late).toMatchObject({ code: 'too-many-requests', headers: { 'Retry-After': '1' } })
  // A list that has begun may take longer.
  await clock.advance(10_000)
  for (const { end } of begun) end()
  expect(await Promise.all(all)).toHaveLength(listsAtOnce)
  expect(begun).toHaveLength(listsAtOnce)
})

it('one sender with many lists took all places, and the list of another was refused', async () => {
  const { begun, run } = lists(new ListSlots(new FakeClock()))
  const many = Array.from({ length: 30 }, (_, i) => run(`many ${i}`, 'many'))
  await turn()
  expect(begun).toHaveLength(listsOfOneSender)
  const one = run('one')
  await turn()
  expect(begun.at(-1)?.name).toBe('one')
  for (let i = 0; i < 31; i++) {
    begun[i]?.end()
    await turn()
  }
  expect(await Promise.all([...many, one])).toHaveLength(31)
})

it('lets a sender with few lists go before those with many', async () => {
  const { begun, run } = lists(new ListSlots(new FakeClock()))
  const many = Array.from({ length: 30 }, (_, i) => run(`many ${i}`, `many ${i % 3}`))
  await turn()
  expect(begun).toHaveLength(listsAtOnce)
  const one = run('one')
  await turn()
  begun[0]?.end()
  await turn()
  begun[1]?.end()
  await turn()
  expect(begun.slice(listsAtOnce).map(({ name }) => name)).toContain('one')
  for (let i = 0; i < 31; i++) {
    begun[i]?.end()
    await turn()
  }
  expect(await Promise.all([...many, one])).toHaveLength(31)
})

it('a list whose client hung up while it waited is not read', async () => {
  const { begun, run } = lists(new ListSlots(new FakeClock()))
  const all = Array.from({ length: listsAtOnce }, (_, i) => run(`${i}`))
  const client = new AbortController()
  const gone = run('gone', 'gone', client.signal).catch((problem) => problem)
  await turn()
  client.abort()
  expect(await gone).toMatchObject({ code: 'bad-request' })
  for (const { end } of begun) end()
  await turn()
  expect(await Promise.all(all)).toHaveLength(listsAtOnce)
  expect(begun).toHaveLength(listsAtOnce)
})

it('work that stops because the client hung up is no failure of the server', async () => {
  const client = new AbortController()
  const slots = new ListSlots(new FakeClock())
  const reading = slots.run(
    'a',
    async () => {
      client.abort()
      client.signal.throwIfAborted()
    },
    client.signal,
  )
  await expect(reading).rejects.toMatchObject({ code: 'bad-request' })
})

it('passes on the error of a list, and serves the next one', async () => {
  const slots = new ListSlots(new FakeClock())
  await expect(slots.run('a', () => Promise.reject(new Error('no quorum')))).rejects.toThrow('no quorum')
  expect(await slots.run('a', async () => 'read')).toBe('read')
})

it('lets other requests come in between lists that have nothing to read', async () => {
  const slots = new ListSlots(new FakeClock())
  let made = 0
  const all = Array.from({ length: 40 }, () => slots.run('many', async () => ++made))
  let most = 0
  for (let before = 0; before < 40; before = made) {
    await turn()
    most = Math.max(most, made - before)
  }
  expect(most).toBeLessThanOrEqual(listsOfOneSender)
  await Promise.all(all)
})
