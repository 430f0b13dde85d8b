import { expect, it } from 'vitest'
import { BatchedReads, keysMax } from './batched-reads.ts'

function started() {
  const sent: { keys: string[]; answer: () => void; fail: (error: Error) => void }[] = []
  const session = {
    execute: (_statement: unknown, [keys]: unknown[]) =>
      new Promise((resolve, fail) => {
        const rows = (keys as string[]).filter((key) => key !== 'none').map((id) => ({ id }))
        sent.push({ keys: keys as string[], answer: () => resolve({ rows }), fail })
      }),
  }
  const reads = new BatchedReads(session as never, {} as never, 'id')
  return { reads, sent, turn: () => new Promise(setImmediate) }
}

it('reads what is asked for in one turn by one statement, each key once', async () => {
  const { reads, sent, turn } = started()
  const asked = Promise.all(['a', 'b', 'none', 'a'].map((key) => reads.read(key)))
  await turn()
  expect(sent.map(({ keys }) => keys)).toEqual([['a', 'b', 'none']])
  sent[0]?.answer()
  expect(await asked).toEqual([{ id: 'a' }, { id: 'b' }, undefined, { id: 'a' }])
})

it('sends one statement at a time, and reads again what is asked for after it was sent', async () => {
  const { reads, sent, turn } = started()
  const first = reads.read('a')
  await turn()
  const second = [reads.read('a'), reads.read('b')]
  await turn()
  expect(sent).toHaveLength(1)
  sent[0]?.answer()
  await first
  await turn()
  expect(sent.map(({ keys }) => keys)).toEqual([['a'], ['a', 'b']])
  sent[1]?.answer()
  await Promise.all(second)
})

it('divides many keys among statements, and goes on after one that failed', async () => {
  const { reads, sent, turn } = started()
  const asked = Promise.allSettled(Array.from({ length: keysMax + 1 }, (_, i) => reads.read(`key ${i}`)))
  await turn()
  sent[0]?.fail(new Error('no quorum'))
  await turn()
  sent[1]?.answer()
  const answers = await asked
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(keysMax)
  expect(answers.at(-1)).toEqual({ status: 'fulfilled', value: { id: `key ${keysMax}` } })
  await turn()
  const later = reads.read('later')
  await turn()
  sent[2]?.answer()
  expect(await later).toEqual({ id: 'later' })
})
