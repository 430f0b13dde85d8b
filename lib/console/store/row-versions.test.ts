import { expect, it } from 'vitest'
import { RowVersions } from './row-versions.ts'

const start = 1_790_000_000_000
function versions() {
  const clock = { nowMs: start }
  return { clock, versions: new RowVersions(() => clock.nowMs) }
}

it('a row without a known version counts; one that is older than the known version does not', () => {
  const { versions: known } = versions()
  expect(known.isCurrent('users', 'ann', 1)).toBe(true)
  known.note({ table: 'users', key: 'ann', version: 3 })
  expect([2, 3, 4].map((version) => known.isCurrent('users', 'ann', version))).toEqual([false, true, true])
  expect(known.isCurrent('api_tokens', 'ann', 1)).toBe(true)
  expect(known.isCurrent('users', 'bob', 1)).toBe(true)
})

it('entries may be noted in any order: the newest version counts', () => {
  const { versions: known } = versions()
  for (const version of [2, 5, 3]) known.note({ table: 'users', key: 'ann', version })
  expect([4, 5].map((version) => known.isCurrent('users', 'ann', version))).toEqual([false, true])
})

it('an ended row stays ended, whatever its version', () => {
  const { versions: known } = versions()
  known.note({ table: 'api_tokens', key: 'a1', version: null })
  known.note({ table: 'api_tokens', key: 'a1', version: 9 })
  expect(known.isCurrent('api_tokens', 'a1', 1_000_000)).toBe(false)
})

it('is forgotten when the row is void by itself, and not before', () => {
  const { clock, versions: known } = versions()
  known.note({ table: 'sessions', key: 's', version: null, untilMs: start + 1_000 })
  clock.nowMs += 999
  expect(known.all()).toEqual([{ table: 'sessions', key: 's', version: null, untilMs: start + 1_000 }])
  expect(known.isCurrent('sessions', 's', 1)).toBe(false)
  clock.nowMs += 1
  expect(known.all()).toEqual([])
})

it('is not forgotten sooner because a later entry names an earlier end', () => {
  const { clock, versions: known } = versions()
  known.note({ table: 'sessions', key: 's', version: 5, untilMs: start + 2_000 })
  known.note({ table: 'sessions', key: 's', version: 3, untilMs: start + 1_000 })
  clock.nowMs += 1_999
  expect(known.all()).toEqual([{ table: 'sessions', key: 's', version: 5, untilMs: start + 2_000 }])
  expect(known.isCurrent('sessions', 's', 4)).toBe(false)
})

it('does not grow by rows that are void', () => {
  const { clock, versions: known } = versions()
  const keys = Array.from({ length: 50_000 }, (_, i) => String(i))
  for (const key of keys) {
    clock.nowMs += 10
    known.note({ table: 'sessions', key, version: 1, untilMs: clock.nowMs + 5_000 })
  }
  // 500 are not void. `newest` forgets none as it looks: `all` would.
  const remembered = keys.filter((key) => known.newest('sessions', key) !== null)
  expect(remembered.length).toBeLessThan(2_000)
  expect(known.all().length).toBe(500)
})
