import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { migrations } from './schema.ts'

/** A start on a keyspace that was made by an earlier version refuses a migration that has changed since. */
it('migrations do not change once they were released', () => {
  const checksums = migrations.map(({ version, statements }) => [
    version,
    createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 12),
  ])
  expect(checksums).toEqual([
    [1, 'd91553cf3021'],
    [2, '6ce65ef9d8fc'],
    [3, '4944e0cef650'],
    [4, '99c3a4398db2'],
    [5, '96b88cd7f19d'],
    [6, '0e3d71f4accb'],
    [7, 'f71e7d91b1cb'],
    [8, 'e56417e39b76'],
    [9, '13c1906221b8'],
    [10, 'b2e91258f715'],
    [11, '8075427057ae'],
  ])
})

/** The last release goes on working on the new schema (upgrade.integration.test.ts), which only additions allow. */
it('migrations add, and take nothing away', () => {
  const added = /^(CREATE TABLE IF NOT EXISTS \$k\.\w+\s|ALTER TABLE \$k\.\w+ ADD IF NOT EXISTS\s)/
  const others = migrations.flatMap(({ statements }) => statements).filter((cql) => !added.test(cql))
  expect(others).toEqual([])
})
