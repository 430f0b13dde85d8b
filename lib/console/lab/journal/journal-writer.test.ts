import { StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { JournalWriter } from './journal-writer.ts'

const entry = (seq: number): JournalEntry => ({ seq, atMs: seq, kind: 'joined', candidate: 'c1' })

it('writes each entry in one row, whatever comes while a row is not acknowledged', async () => {
  const clock = new FakeClock()
  const entries = [entry(0), entry(1)]
  const rows: number[][] = []
  let fails = true
  const store = {
    writeEntries: async (_run: string, row: readonly JournalEntry[]) => {
      rows.push(row.map(({ seq }) => seq))
      if (fails) throw new StoreUnavailableError('silent', { mayHaveHappened: true })
    },
  }
  const over = new AbortController()
  const writing = new JournalWriter({ run: 'r', entries, store, timer: clock }).run(over.signal)
  await clock.advance(500)
  entries.push(entry(2))
  await clock.advance(500)
  fails = false
  await clock.advance(500)
  entries.push(...Array.from({ length: 501 }, (_, i) => entry(3 + i)))
  over.abort()
  await clock.advance(500)
  await writing
  expect(rows.slice(0, 4)).toEqual([[0, 1], [0, 1], [0, 1], [2]])
  expect(rows.slice(4).map((row) => [row[0], row.length])).toEqual([
    [3, 500],
    [503, 1],
  ])
})

it('writes the rest of a run that ended while Cassandra did not answer, however many minutes later', async () => {
  const clock = new FakeClock()
  const rows: number[][] = []
  let isAway = true
  const store = {
    writeEntries: async (_run: string, row: readonly JournalEntry[]) => {
      if (isAway) throw new StoreUnavailableError('away')
      rows.push(row.map(({ seq }) => seq))
    },
  }
  const over = new AbortController()
  over.abort()
  const writing = new JournalWriter({ run: 'r', entries: [entry(0)], store, timer: clock }).run(over.signal)
  await clock.advance(9 * 60_000)
  isAway = false
  await clock.advance(5_000)
  await writing
  expect(rows).toEqual([[0]])
})
