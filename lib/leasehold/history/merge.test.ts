import { expect, it } from 'vitest'
import { bareEvent, type LeaseEvent, mergedEvents } from './index.ts'

const startMs = Date.UTC(2026, 0, 1, 12)
let made = 0
const event = (
  kind: LeaseEvent['kind'],
  owner: string,
  atSeconds: number,
  known: Partial<LeaseEvent> = {},
): LeaseEvent => ({
  ...bareEvent,
  id: `e${++made}`,
  name: 'job',
  source: 'observed',
  kind,
  owner,
  atMs: startMs + atSeconds * 1000,
  ttlSeconds: 30,
  ...known,
})
const within = (from: number, to: number) => ({
  notBeforeMs: startMs + from * 1000,
  notAfterMs: startMs + to * 1000,
})
const library = { source: 'library' } as const
const brief = (events: readonly LeaseEvent[]) =>
  mergedEvents(events).map(({ kind, owner, source }) => `${kind} ${owner} ${source}`)

it('an event that two recorders wrote is one', () => {
  const one = event('acquired', 'a', 0)
  expect(brief([one, { ...one }])).toEqual(['acquired a observed'])
})

it('the library knows better than the recorder, who adds the holder before', () => {
  const events = mergedEvents([
    event('acquired', 'b', 10, library),
    event('changed-hands', 'b', 10.1, { ...within(8, 10.1), previousOwner: 'a', version: 7n }),
  ])
  expect(events).toMatchObject([
    { kind: 'changed-hands', owner: 'b', source: 'library', previousOwner: 'a', version: 7n },
  ])
})

it('a change of hands with a known end is an end and a beginning', () => {
  expect(
    brief([
      event('released', 'a', 9, library),
      event('changed-hands', 'b', 10, { ...within(8, 10), previousOwner: 'a' }),
    ]),
  ).toEqual(['acquired b observed', 'released a library'])
})

it('a lease that its holder lost, and that expired later, ended once', () => {
  expect(
    brief([event('lost', 'a', 0, library), event('expired', 'a', 2), event('acquired', 'a', -60)]),
  ).toEqual(['lost a library', 'acquired a observed'])
})

it('a kill stands before what the recorder and the holder saw of it', () => {
  const console = { source: 'console' } as const
  expect(
    brief([
      event('killed', 'a', 0, console),
      event('released', 'a', 1, within(-1, 1)),
      event('lost', 'a', 8, { ...library, reason: 'not-holder' }),
    ]),
  ).toEqual(['killed a console'])
})

it('tenures of one chosen owner stay apart', () => {
  expect(
    brief([
      event('released', 'a', 60, library),
      event('released', 'a', 60.4, within(59, 61)),
      event('acquired', 'a', 50),
      event('released', 'a', 20, within(19, 21)),
    ]),
  ).toEqual(['released a library', 'acquired a observed', 'released a observed'])
})

it('between two beginnings there was an end that was not seen', () => {
  const events = mergedEvents([event('acquired', 'b', 100, within(60, 100)), event('acquired', 'a', 0)])
  expect(events).toMatchObject([
    { kind: 'acquired', owner: 'b', previousOwner: 'a' },
    { kind: 'ended-unknown', owner: 'a', ...within(60, 100) },
    { kind: 'acquired', owner: 'a' },
  ])
})
