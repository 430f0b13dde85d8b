/** What a user of the machine without a password can read of the running server's process. */
import { readFileSync } from 'node:fs'
import { expect, test } from '../console/console.ts'
import { admin } from '../console/running-console.ts'

test('the environment of the serving process holds no password', async ({ running }) => {
  test.skip(process.platform !== 'linux', 'there is no /proc')
  const environment = readFileSync(`/proc/${running.server.pid}/environ`, 'utf8')
  expect(environment).toContain('CASSANDRA_KEYSPACE=')
  expect(environment).not.toContain(admin.password)
  const given = environment
    .split('\0')
    .filter((variable) => /^(?!LEASEHOLD_TEST_).*(PASSWORD|SECRET|KEY)=./.test(variable))
  expect(given).toEqual([])
})
