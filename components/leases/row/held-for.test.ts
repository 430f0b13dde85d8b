import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { serverNow } from '../../../lib/client/call/call.ts'
import { nextRow } from '../../../lib/client/row/row-board.ts'
import { sightingAt } from '../../../lib/client/row/test-lease.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { HeldFor } from './held-for.tsx'

const minuteMs = 60_000

/** Of a row that was read last at `readAtMs`; a text that time changes is written by the ticker, not here. */
function heldFor(stale: boolean, readAtMs: number, seen: Partial<Lease> = {}): string {
  const row = nextRow(sightingAt(0, seen), undefined)
  const lease = { ...row.lease, heldSince: new Date(serverNow(0) - 16 * minuteMs).toISOString() }
  return renderToStaticMarkup(
    createElement(HeldFor, { row: { ...row, lease, reading: { atMs: readAtMs } }, stale }),
  )
}

it('for how long a stale row was held stands still at its last read, and says that it is past', () => {
  expect(heldFor(true, 0)).toBe('<span class="dim">was 16 min</span>')
  expect(heldFor(true, 2 * minuteMs)).toBe('<span class="dim">was 18 min</span>')
})

it('of a live row it goes on', () => {
  expect(heldFor(false, 0)).toBe('<span></span>')
})

it('a zombie has no holder, and is held for no time', () => {
  for (const stale of [false, true])
    expect(heldFor(stale, 0, { state: 'zombie', owner: null })).toBe('<span class="dim">–</span>')
})
