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
