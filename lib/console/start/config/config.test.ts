import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SECRET_VARIABLES } from '../../../../scripts/console/secrets.mjs'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { readConfig, secretVariables } from './config.ts'

const base = { CASSANDRA_CONTACT_POINTS: '10.0.0.1, 10.0.0.2:9043' }
const config = (more: Record<string, string> = {}) => readConfig({ ...base, ...more })

function file(text: string): string {
  const path = join(temporaryFolder('leasehold-config'), 'file')
  writeFileSync(path, text)
  return path
}

describe('the environment', () => {
  it('has the defaults of the README', () => {
    expect(config()).toMatchObject({
      port: 3000,
      embedded: false,
      maxClockSkewMs: 500,
      adminActions: true,
      cassandra: {
        contactPoints: ['10.0.0.1', '10.0.0.2:9043'],
        localDataCenter: 'datacenter1',
        keyspace: 'leasehold',
        serial: 'SERIAL',
        replication: 3,
      },
      tables: [
        {
          id: 'leases',
          mapping: { table: 'leases', name: 'name', owner: 'owner', value: 'value' },
          readOnly: false,
        },
      ],
    })
    expect(config().lab).toBe(false)
    expect(config({ LEASEHOLD_LAB: 'enabled' }).lab).toBe(true)
    expect(config({ LEASEHOLD_EMBEDDED: '1' }).lab).toBe(true)
    expect(config({ LEASEHOLD_EMBEDDED: '1', LEASEHOLD_LAB: 'disabled' }).lab).toBe(false)
    expect(() => config({ LEASEHOLD_LAB: 'no' })).toThrow('LEASEHOLD_LAB is neither enabled nor disabled.')
    expect(config({ PORT: '8080' }).publicUrl.origin).toBe('http://localhost:8080')
    expect(config({ LEASEHOLD_EMBEDDED: '1' })).toMatchObject({
      maxClockSkewMs: 100,
      cassandra: { replication: 1 },
    })
    // What a shell makes of a variable that is not set.
    expect(config({ CASSANDRA_LOCAL_DC: '' }).cassandra.localDataCenter).toBe('datacenter1')
  })

  it('has a role for each use, if it is given one', () => {
    const roles = config({
      CASSANDRA_USERNAME: 'w',
      CASSANDRA_PASSWORD: 'pw',
      CASSANDRA_READ_USERNAME: 'r',
      CASSANDRA_READ_PASSWORD_FILE: file('pr\n'),
      CASSANDRA_SCHEMA_USERNAME: 's',
      CASSANDRA_SCHEMA_PASSWORD: 'ps',
    }).cassandra
    expect(roles).toMatchObject({
      username: 'w',
      password: 'pw',
      reader: { username: 'r', password: 'pr' },
      schema: { username: 's', password: 'ps' },
    })
    expect(config().cassandra.reader).toBeUndefined()
  })

  it('has the secrets that npm start passes in files', () => {
    expect(secretVariables).toEqual(SECRET_VARIABLES)
  })

  it('takes secrets from files too', () => {
    const withFile = config({ LEASEHOLD_ADMIN_PASSWORD_FILE: file('from a file, mounted \r\n') })
    expect(withFile.adminPassword).toBe('from a file, mounted ')
  })

  it.each([
    [{ CASSANDRA_CONTACT_POINTS: '' }, /^CASSANDRA_CONTACT_POINTS is not set/],
    [{ CASSANDRA_READ_USERNAME: 'r' }, /^CASSANDRA_READ_USERNAME is set without CASSANDRA_USERNAME/],
    [
      { CASSANDRA_USERNAME: 'w', CASSANDRA_SCHEMA_PASSWORD: 'p' },
      /^CASSANDRA_SCHEMA_PASSWORD is set without/,
    ],
    [{ CASSANDRA_PROGRAM_ROLE: 'p' }, /^CASSANDRA_PROGRAM_ROLE is set without CASSANDRA_SCHEMA_USERNAME/],
    [{ CASSANDRA_CONTACT_POINTS: 'a b' }, /^CASSANDRA_CONTACT_POINTS is not a list of host or host:port/],
    [{ PORT: 'http' }, /^PORT is not a number/],
    [{ PORT: '70000' }, /^PORT is above 65535/],
    [{ PUBLIC_URL: 'console.example' }, /^PUBLIC_URL is not an http or https URL/],
    [{ PUBLIC_URL: 'https://a.example/console' }, /^PUBLIC_URL has a path/],
    [{ CASSANDRA_KEYSPACE: 'a"; DROP' }, /^CASSANDRA_KEYSPACE is not a Cassandra identifier/],
    [{ CASSANDRA_SERIAL: 'QUORUM' }, /^CASSANDRA_SERIAL is neither SERIAL nor LOCAL_SERIAL/],
    [{ CASSANDRA_REPLICATION: '0' }, /^CASSANDRA_REPLICATION is below 1/],
    [{ CASSANDRA_PASSWORD: 'x' }, /^CASSANDRA_PASSWORD is set without CASSANDRA_USERNAME/],
    [{ CASSANDRA_TLS_KEY: '/k' }, /need CASSANDRA_TLS_CA/],
    [
      { CASSANDRA_TLS_CA: '/does/not/exist' },
      /^CASSANDRA_TLS_CA: the file \/does\/not\/exist cannot be read \(ENOENT\)/,
    ],
    [{ LEASEHOLD_ADMIN_PASSWORD: 'short' }, /^LEASEHOLD_ADMIN_PASSWORD is shorter than 10 characters/],
    [{ LEASEHOLD_ADMIN_PASSWORD: 'long enough', LEASEHOLD_ADMIN_PASSWORD_FILE: '/x' }, /are both set/],
    [{ LEASEHOLD_ADMIN_ACTIONS: 'no' }, /^LEASEHOLD_ADMIN_ACTIONS is neither enabled nor disabled/],
    [{ LEASEHOLD_CONFIG: '{' }, /^LEASEHOLD_CONFIG is not JSON/],
    [{ LEASEHOLD_CONFIG: '/does/not/exist' }, /^LEASEHOLD_CONFIG: the file/],
    [{ LEASEHOLD_CONFIG: '{"tables":{"t":{}}}' }, /^LEASEHOLD_CONFIG: tables\.t\.table /],
    [
      { LEASEHOLD_CONFIG: '{"tables":{"t":{"table":"a b"}}}' },
      /^LEASEHOLD_CONFIG: tables\.t\.table is not a Cassandra identifier/,
    ],
    [{ LEASEHOLD_CONFIG: '{"tabels":{}}' }, /^LEASEHOLD_CONFIG: .*tabels/],
    [{ LEASEHOLD_CONFIG: '{"tables":{"t":{"tabel":"x"}}}' }, /^LEASEHOLD_CONFIG: tables\.t .*tabel/],
    [{ LEASEHOLD_CONFIG: '{"tables":{"t":{}}}' }, /^LEASEHOLD_CONFIG: tables\.t\.table is missing\.$/],
    [
      { LEASEHOLD_CONFIG: '{"tables":{"t":{"table":"x","readOnly":"yes"}}}' },
      /^LEASEHOLD_CONFIG: tables\.t\.readOnly must be true or false\.$/,
    ],
    [
      { LEASEHOLD_CONFIG: '{"tables":{"My Table":{"table":"x"}}}' },
      /^LEASEHOLD_CONFIG: tables\.My Table is not an id \(1 to 48 of a to z, digits, _ and -\)\.$/,
    ],
  ])('refuses %j, naming the variable', (more, sentence) => {
    expect(() => config(more)).toThrow(sentence)
  })
})

describe('mapped tables', () => {
  it('stand beside the console’s own, or in its place', () => {
    const election = { table: 'leadership_election', name: 'group', owner: 'leader_id' }
    const beside = config({ LEASEHOLD_CONFIG: file(JSON.stringify({ tables: { elections: election } })) })
    expect(beside.tables.map(({ id }) => id)).toEqual(['leases', 'elections'])
    expect(beside.tables[1]?.mapping).toEqual({ ...election, value: null })
    const instead = config({
      LEASEHOLD_CONFIG: JSON.stringify({
        tables: { leases: { ...election, keyspace: 'theirs', readOnly: true } },
      }),
    })
    expect(instead.tables).toMatchObject([{ id: 'leases', readOnly: true, mapping: { keyspace: 'theirs' } }])
  })

  it('are one table of Cassandra for reading alone, or for writing', () => {
    const mapping = (tables: Record<string, object>) => () =>
      config({ LEASEHOLD_CONFIG: JSON.stringify({ tables }), CASSANDRA_KEYSPACE: 'ours' })
    const jobs = { keyspace: 'theirs', table: 'jobs' }
    const shown = { ...jobs, readOnly: true }
    expect(mapping({ work: jobs, show: shown })).toThrow(
      'LEASEHOLD_CONFIG: tables.show is readOnly and tables.work is not, and both are the table theirs.jobs of Cassandra.',
    )
    // The console's own, which is among them unless the file says otherwise.
    expect(mapping({ show: { table: 'leases', readOnly: true } })).toThrow(/tables\.show .* tables\.leases /)
    expect(mapping({ show: { keyspace: 'ours', table: 'leases', readOnly: true } })).toThrow(/ours\.leases/)
    expect(mapping({ a: shown, b: shown, c: { ...jobs, keyspace: 'others' } })().tables).toHaveLength(4)
    expect(mapping({ a: jobs, b: { ...jobs, owner: null } })().tables).toHaveLength(3)
  })
})
