import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { RunJournal } from './run-journal.ts'

const joined = (candidate: string) => ({ kind: 'joined', candidate }) as const

it('numbers its entries, with the time of the run', async () => {
  const clock = new FakeClock()
  await clock.advance(5_000)
  const journal = new RunJournal(clock)
  journal.note(joined('c1'))
  await clock.advance(250)
  journal.note(joined('c2'))
  expect(journal.entries.map(({ seq, atMs }) => [seq, atMs])).toEqual([
    [0, 0],
    [1, 250],
  ])
})

it('is full at its bound, says so once, and takes the end alone', () => {
  const journal = new RunJournal(new FakeClock(), 4)
  for (let i = 0; i < 9; i++) journal.note(joined('c1'))
  journal.note({ kind: 'ended', why: 'time', detail: null })
  expect(journal.entries.map(({ kind }) => kind)).toEqual(['joined', 'joined', 'joined', 'full', 'ended'])
})

it('every listener gets every entry in its order, also where one of them notes', () => {
  const journal = new RunJournal(new FakeClock())
  const seen: number[] = []
  journal.listen((entry) => {
    if (entry.seq === 0) journal.note({ kind: 'left', candidate: 'c1' })
  })
  const forget = journal.listen(({ seq }) => seen.push(seq))
  journal.note(joined('c1'))
  expect(seen).toEqual([0, 1])
  forget()
  journal.note(joined('c1'))
  expect(seen).toEqual([0, 1])
})
