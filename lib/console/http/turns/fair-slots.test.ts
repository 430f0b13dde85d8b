import { expect, it } from 'vitest'
import { FairSlots } from './fair-slots.ts'

const turn = () => new Promise((done) => setImmediate(done))

/** Work that ends when the test says so. */
function works(slots: FairSlots) {
  const begun: { name: string; end(): void }[] = []
  const run = (name: string, sender = name, signal?: AbortSignal) =>
    slots.run(
      sender,
      () => new Promise<string>((done) => begun.push({ name, end: () => done(name) })),
      signal,
    )
  return { begun, run, names: () => begun.map(({ name }) => name) }
}

it('one sender took all places, so that no other one had a turn', async () => {
  const { begun, run, names } = works(new FairSlots({ atOnce: 4, ofOneSender: 2 }))
  const many = Array.from({ length: 5 }, (_, i) => run(`many ${i}`, 'many'))
  await turn()
  expect(names()).toEqual(['many 0', 'many 1'])
  const others = [run('one'), run('two')]
  await turn()
  expect(names().slice(2)).toEqual(['one', 'two'])
  for (let i = 0; i < 7; i++) {
    begun[i]?.end()
    await turn()
  }
  expect(await Promise.all([...many, ...others])).toHaveLength(7)
})

it('what waits is not begun when its sender has gone', async () => {
  const { begun, run, names } = works(new FairSlots({ atOnce: 1, ofOneSender: 1 }))
  const first = run('first')
  const client = new AbortController()
  const gone = [run('second', 'first', client.signal), run('third', 'third', client.signal)]
  await turn()
  client.abort(new Error('hung up'))
  for (const each of gone) await expect(each).rejects.toThrow('hung up')
  await expect(run('fourth', 'fourth', client.signal)).rejects.toThrow('hung up')
  begun[0]?.end()
  expect(await first).toBe('first')
  await turn()
  expect(names()).toEqual(['first'])
})

it('work of a sender that has gone keeps its place until it ends: another piece must not begin beside it', async () => {
  const { begun, run, names } = works(new FairSlots({ atOnce: 1, ofOneSender: 1 }))
  const client = new AbortController()
  const first = run('first', 'first', client.signal)
  const second = run('second')
  await turn()
  client.abort(new Error('hung up'))
  await turn()
  expect(names()).toEqual(['first'])
  begun[0]?.end()
  await turn()
  begun[1]?.end()
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
})

it('a place is free again when work fails', async () => {
  const slots = new FairSlots({ atOnce: 1, ofOneSender: 1 })
  await expect(slots.run('a', () => Promise.reject(new Error('no quorum')))).rejects.toThrow('no quorum')
  expect(await slots.run('a', async () => 'done')).toBe('done')
})
