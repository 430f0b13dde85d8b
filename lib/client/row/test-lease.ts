/** A lease for tests, as a reply would tell it. */
import type { Lease } from '../../contract/leases/lease.ts'
import type { Sighting } from '../time/countdown.ts'

export const epochMs = Date.parse('2026-11-20T03:14:00.000Z')

/** An owner as the library makes it, whose holder renews. */
export const libraryOwner = 'api-1:4711:0123456789ab:1z'

export function testLease(over: Partial<Lease> = {}): Lease {
  return {
    table: 'leases',
    name: 'a',
    owner: 'o',
    value: 'v',
    state: 'held',
    version: '1795144425302118',
    writtenAt: '2026-11-20T03:13:50.000Z',
    expiresAt: '2026-11-20T03:14:20.000Z',
    remainingMs: 20_000,
    valueRemainingMs: 20_000,
    ttlSeconds: 30,
    read: { level: 'SERIAL', at: '2026-11-20T03:14:00.000Z' },
    ...over,
  }
}

/** The lease in a reply that arrives at `arrivedAtMs`, read and written at that moment of the server's. */
export function sightingAt(arrivedAtMs: number, over: Partial<Lease> = {}): Sighting {
  const now = new Date(epochMs + arrivedAtMs).toISOString()
  return { lease: testLease({ read: { level: 'SERIAL', at: now }, ...over }), now, arrivedAtMs }
}
