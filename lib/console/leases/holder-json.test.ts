import type { LeaseView } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { quarantineOwner, quarantineValue } from '../../contract/leases/quarantine.ts'
import { heldProblem, notHolderProblem } from './holder-json.ts'
import type { LeaseTable } from './lease-table.ts'

const clock = new FakeClock()
const at = clock.now()
const table = { id: 'leases', mapping: { owner: 'owner' } } as LeaseTable
const viewOf = (owner: string, value: string | null, expiresAtMs: number | null = Date.UTC(2030, 0, 1)) =>
  ({
    name: 'a',
    owner,
    value,
    version: null,
    expiresAtMs,
    ttlSeconds: 30,
    read: { at, serverNowMs: at.wallMs },
  }) as LeaseView

const held = (view: LeaseView) => heldProblem(view, table, { clock }).message
const mark = quarantineOwner('HzBxPxv2gZKQ')
const note = quarantineValue({ was: 'ui-seed', by: 'bob', at: new Date(at.wallMs) })

it('names the holder, and when it ends unless it renews', () => {
  expect(held(viewOf('o', null))).toBe('Held by o; until 2030-01-01T00:00:00.000Z unless renewed.')
  expect(held(viewOf('o', null, null))).toBe('Held by o; it has no expiry.')
})

it('names of a broken lease the person who broke it, and no holder', () => {
  const until = 'No process can acquire it until 2030-01-01T00:00:00.000Z, when it is safe.'
  expect(held(viewOf(mark, note))).toBe(`bob broke this lease, which ui-seed held. ${until}`)
  expect(held(viewOf(mark, null))).toBe(`An operator broke this lease. ${until}`)
  expect(held(viewOf(mark, null, null))).toBe(
    'An operator broke this lease. No process can acquire it, because its mark has no expiry.',
  )
  expect(notHolderProblem(viewOf(mark, note), 'ui-seed', { clock }).message).toBe(
    `bob broke this lease, which ui-seed held. ${until} It is not held by ui-seed.`,
  )
})
