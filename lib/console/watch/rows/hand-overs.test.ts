import { describe, expect, it } from 'vitest'
import { flapping } from '../../../contract/leases/lease-state.ts'
import { HandOvers } from './hand-overs.ts'

const minute = 60_000

describe('what counts as a hand-over', () => {
  it('another owner in the place of the one before', () => {
    const handOvers = new HandOvers()
    handOvers.changed('job', 'a', 'b', 0)
    handOvers.changed('job', 'b', 'b', 1)
    expect(handOvers.of('job', 2)).toEqual({ handOvers: 1, flapsUntilMs: null })
  })

  it('another owner soon after the row was gone, and not a minute later: jobs take turns like that', () => {
    const handOvers = new HandOvers()
    handOvers.left('election', 'a', 0)
    handOvers.came('election', 'b', 9_000)
    handOvers.left('job', 'a', 0)
    handOvers.came('job', 'b', minute)
    expect([handOvers.of('election', minute).handOvers, handOvers.of('job', minute).handOvers]).toEqual([
      1, 0,
    ])
  })

  it('neither a quarantine nor a row without an owner', () => {
    const handOvers = new HandOvers()
    handOvers.changed('job', 'a', '!quarantine:1', 0)
    handOvers.changed('job', '!quarantine:1', 'b', 1)
    handOvers.changed('job', 'b', null, 2)
    handOvers.left('job', '!quarantine:2', 3)
    handOvers.came('job', 'c', 4)
    expect(handOvers.of('job', 5).handOvers).toBe(0)
  })
})

it('a lease flaps from the third hand-over in five minutes on, until the third last is five minutes old', () => {
  const handOvers = new HandOvers()
  for (const [i, atMs] of [0, minute, 2 * minute, 3 * minute].entries())
    handOvers.changed('job', `owner ${i}`, `owner ${i + 1}`, atMs)
  expect(handOvers.of('job', 3 * minute)).toEqual({ handOvers: 4, flapsUntilMs: 6 * minute })
  expect(handOvers.of('job', 6 * minute)).toEqual({ handOvers: 2, flapsUntilMs: null })
})

it('remembers ten thousand names at most, and none for longer than it counts', () => {
  const handOvers = new HandOvers()
  for (let i = 0; i < 12_000; i++) handOvers.left(`job ${i}`, 'a', i)
  expect(handOvers.size).toBeGreaterThan(8_000)
  expect(handOvers.size).toBeLessThanOrEqual(10_000)
  handOvers.prune(flapping.withinMs + 11_999)
  expect(handOvers.size).toBe(0)
})
