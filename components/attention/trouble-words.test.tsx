import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { nextRow } from '../../lib/client/row/row-board.ts'
import { sightingAt } from '../../lib/client/row/test-lease.ts'
import { pageClock } from '../../lib/client/time/page-clock.ts'
import { troubleOf } from './trouble-words.tsx'

afterEach(() => vi.restoreAllMocks())

it.each(['eternal', 'flapping'] as const)(
  'the HTML of a lease that is %s is the same ten days later: React takes it over',
  (state) => {
    const seen = nextRow(sightingAt(0), undefined)
    const lease = { ...seen.lease, heldSince: '2026-11-21T12:00:00.000Z', handOvers: 5 }
    const row = { ...seen, lease, state, reading: { atMs: 0 } }
    const now = vi.spyOn(pageClock, 'now')
    const html = (atMs: number) => {
      now.mockReturnValue(atMs)
      return renderToString(createElement('p', null, troubleOf(row, false).howLong))
    }
    expect(html(10 * 86_400_000)).toBe(html(1_000))
    expect(html(1_000)).toContain('for ')
  },
)

it('a zombie has a way to its repair, and may be waited for only where it ends', () => {
  const seen = nextRow(sightingAt(0), undefined)
  const lease = { ...seen.lease, owner: null, state: 'zombie' as const }
  const row = { ...seen, lease, state: 'zombie' as const, reading: { atMs: 0 } }
  const toDo = (endsAtMs: number | null) =>
    renderToString(
      createElement('p', null, troubleOf({ ...row, clock: { ...row.clock, endsAtMs } }, false).toDo),
    )
  expect(toDo(60_000)).toContain('its page says how. Or wait until the value expires.')
  expect(toDo(null)).toContain('its page says how.')
  expect(toDo(null)).not.toContain('wait')
})
