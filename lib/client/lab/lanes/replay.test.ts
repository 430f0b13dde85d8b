/** A journal that was stored and read again draws the same, byte for byte. */
import { expect, it } from 'vitest'
import { journalEntrySchema } from '../../../contract/lab/journal.ts'
import { pauseWithoutFencing } from '../../../contract/lab/test-journal.ts'
import { LamportDiagram } from '../lamport/lamport-diagram.ts'
import { LanesBuilder } from './lanes-builder.ts'

const journal = pauseWithoutFencing()
const { ttlSeconds } = journal
/** As the pages of a stored run come: parsed, in parts, and some of it twice. */
const stored = journal.entries.map((entry) => journalEntrySchema.parse(JSON.parse(JSON.stringify(entry))))
const pages = [stored.slice(0, 20), stored.slice(15, 40), stored.slice(40)]

it('at each tenth of a second the replayed lanes are those that were shown live', () => {
  const live = new LanesBuilder({ ttlSeconds })
  const replayed = new LanesBuilder({ ttlSeconds })
  for (const page of pages) replayed.add(page)
  const waiting = [...journal.entries]
  for (let atMs = 0; atMs <= 26_000; atMs += 100) {
    while ((waiting[0]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) live.add(waiting.splice(0, 1))
    expect(JSON.stringify(replayed.at(atMs))).toBe(JSON.stringify(live.live(atMs)))
  }
  expect(waiting).toEqual([])
  // Back in time, as the slider goes.
  const before = JSON.stringify(replayed.at(12_000))
  replayed.at(25_000)
  expect(JSON.stringify(replayed.at(12_000))).toBe(before)
})

it('the Lamport diagram of the stored journal is the one that was drawn live', () => {
  const [live, replayed] = [new LamportDiagram({ ttlSeconds }), new LamportDiagram({ ttlSeconds })]
  for (const entry of journal.entries) live.add([entry])
  for (const page of [stored.slice(0, 20), stored.slice(20)]) replayed.add(page)
  expect(replayed.svg('A run')).toBe(live.svg('A run'))
})
