/** A checker whose cost grows with the square of a history stops the process that shows it to people. */
import { expect, it } from 'vitest'
import type { Arrival, Operation, Sighting } from './history.ts'
import { falsehoods } from './laws.ts'

/** How often the checker looks at a field of a history of so many tenures: each is acquired, refused to others, seen and released. */
function looks(tenures: number): number {
  let count = 0
  const counted = <T extends object>(fields: T): T =>
    new Proxy(fields, {
      get: (target, key) => {
        count += 1
        return Reflect.get(target, key)
      },
    })
  const operations: Operation[] = []
  const arrivals: Arrival[] = []
  const sightings: Sighting[] = []
  const name = 'job'
  for (let i = 0; i < tenures; i++) {
    const atMs = 1_000 * i
    const owner = `owner-${i}`
    const value = `value-${i}`
    const token = BigInt(i + 1)
    const add = (operation: Pick<Operation, 'kind' | 'owner' | 'value' | 'report'>, calledMs: number) => {
      const mark = `${operations.length}`
      const client = `c${i % 8}`
      operations.push(
        counted({ ...operation, name, mark, client, ttlSeconds: 6, calledMs, returnedMs: calledMs + 5 }),
      )
    }
    add(
      { kind: 'acquire', owner, value, report: { kind: 'acquired', token, deadlineMs: atMs + 4_000 } },
      atMs,
    )
    for (let k = 1; k < 8; k++) {
      const report = { kind: 'held', owner } as const
      add({ kind: 'acquire', owner: null, value: `${value}-refused-${k}`, report }, atMs + 10 + k)
    }
    add({ kind: 'release', owner, value: null, report: { kind: 'released', certain: true } }, atMs + 900)
    const write = { name, owner, value }
    arrivals.push(counted({ ...write, kind: 'acquire', atMs, answeredMs: atMs + 4 }))
    arrivals.push(counted({ ...write, kind: 'release', atMs: atMs + 900, answeredMs: atMs + 904 }))
    sightings.push(counted({ ...write, version: token, sentMs: atMs + 100, answeredMs: atMs + 102 }))
  }
  const found = falsehoods({ operations, arrivals, sightings, numbers: [], terms: [], nextFree: new Map() })
  expect(found.length).toBe(0)
  return count
}

it('the cost grows as the history does', () => {
  // Sorting adds a little more than eight times.
  expect(looks(800) / looks(100)).toBeLessThan(12)
})
