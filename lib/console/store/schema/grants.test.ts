import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TableConfig } from '../../start/config/leases-config.ts'
import { administratorGrants, type Grant, grantCql, grantsOf, ownTables, purposes } from './grants.ts'

const roles = { writer: 'leasehold_writer', reader: 'leasehold_reader', program: 'leasehold_program' }
const operations = resolve(import.meta.dirname, '../../../../docs/operations.md')

const mapped = (id: string, readOnly: boolean, mapping: Partial<TableConfig['mapping']>): TableConfig => ({
  id,
  readOnly,
  defaultTtlSeconds: 180,
  mapping: { table: id, name: 'name', owner: 'owner', value: null, ...mapping },
})
const of = (role: string, grants: readonly Grant[]) =>
  grants.filter((grant) => grant.role === role).map(({ permission, resource }) => `${permission} ${resource}`)

describe('who may do what', () => {
  it('covers every table that a migration makes, each with a reason', () => {
    expect(ownTables()).toEqual(
      expect.arrayContaining(['leases', 'users', 'sessions', 'audit_log', 'sequences']),
    )
    expect(
      ownTables().filter((table) => !purposes[table]),
      'without a line in `purposes`',
    ).toEqual([])
    expect(
      Object.keys(purposes).filter((table) => !ownTables().includes(table)),
      'in `purposes`, and made by no migration',
    ).toEqual([])
  })

  it('lets the writer modify no table of migrations, and the reader nothing', () => {
    const { grants } = grantsOf('k', [], roles)
    expect(grants.filter(({ resource }) => resource.includes('schema_migrations'))).toEqual([])
    expect(of(roles.reader, grants)).toEqual(['SELECT KEYSPACE "k"'])
    expect(of(roles.writer, grants)).toHaveLength(1 + ownTables().length)
  })

  it('takes from the writer what is mapped readOnly, the own table too', () => {
    const { grants, revocations } = grantsOf(
      'k',
      [
        mapped('leases', true, {}),
        mapped('theirs', true, { keyspace: 'other' }),
        mapped('ours', false, { keyspace: 'other' }),
      ],
      roles,
    )
    expect(of(roles.writer, grants)).toContain('MODIFY TABLE "other"."ours"')
    for (const table of ['TABLE "k"."leases"', 'TABLE "other"."theirs"']) {
      expect(of(roles.writer, grants)).not.toContain(`MODIFY ${table}`)
      expect(of(roles.writer, revocations)).toContain(`MODIFY ${table}`)
      expect(of(roles.reader, grants)).toContain(`SELECT ${table}`)
    }
  })

  it('quotes the names of roles, with any character', () => {
    const [grant] = grantsOf('k', [], { ...roles, reader: 'a"; DROP ROLE b' }).grants
    expect(grantCql(grant as Grant)).toBe('GRANT SELECT ON KEYSPACE "k" TO "a""; DROP ROLE b"')
  })
})

it('is what docs/operations.md shows', () => {
  const grants = [...grantsOf('leasehold', [], roles).grants, ...administratorGrants(roles)]
  const shown = (role: string) =>
    grants
      .filter((grant) => grant.role === role)
      .map((grant) => `-- ${grant.why}\n${grantCql(grant)};`)
      .join('\n')
  const text = readFileSync(operations, 'utf8')
  for (const role of Object.values(roles)) expect(text).toContain(`\`\`\`sql\n${shown(role)}\n\`\`\``)
})
