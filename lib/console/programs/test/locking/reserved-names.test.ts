/** Which names the console keeps for itself, and in which tables. */
import { expect, it } from 'vitest'
import type { LeaseTable } from '../../../leases/lease-table.ts'
import { refuseOwnName, refuseReservedName } from '../../../leases/tables.ts'

const services = { session: { keyspace: 'leasehold' } } as never
const tableOf = (table: string, keyspace?: string) =>
  ({ id: table, mapping: { table, keyspace } }) as LeaseTable
const own = tableOf('leases')
const mapped = tableOf('locks', 'shop')
const sameNameElsewhere = tableOf('leases', 'shop')

it.each([
  ['the own table', own],
  ['a mapped table', mapped],
  ['a table of the same name in another keyspace', sameNameElsewhere],
])('a lease of the canary is acquired and released by the canary alone, in %s', (_where, table) => {
  for (const refuse of [refuseReservedName, refuseOwnName])
    expect(() => refuse(services, table, 'leasehold/canary/0b1c')).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    )
})

it('other names of the console are kept in its own table alone', () => {
  for (const name of ['leasehold/recovery', 'leasehold/', 'leasehold/canary'])
    for (const refuse of [refuseReservedName, refuseOwnName]) {
      expect(() => refuse(services, own, name)).toThrow(/^Names that begin with leasehold\/ are reserved/)
      expect(() => refuse(services, mapped, name)).not.toThrow()
      expect(() => refuse(services, sameNameElsewhere, name)).not.toThrow()
    }
})

/** A run's id begins with its day: a holder of one of these would be refused a renewal once that day has come. */
it.each(['lab/a1b2c3d4/leader', 'lab/gateways/leader', 'lab/printers/bakery'])(
  '%s has the form of a run’s lease, and no program takes it on any day',
  (name) => {
    expect(() => refuseReservedName(services, own, name)).toThrow(
      expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('of the election lab') }),
    )
    // A row that is there already can be released.
    expect(() => refuseOwnName(services, own, name)).not.toThrow()
    expect(() => refuseReservedName(services, mapped, name)).not.toThrow()
  },
)

it.each(['lab/printers-2/leader', 'lab/a1b2c3d4/other', 'lab/a1b2c3d/leader', 'x/lab/a1b2c3d4/leader'])(
  'a program may take %s',
  (name) => {
    expect(() => refuseReservedName(services, own, name)).not.toThrow()
  },
)
