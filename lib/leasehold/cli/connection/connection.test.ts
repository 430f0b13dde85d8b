import { describe, expect, it } from 'vitest'
import { SECRET_VARIABLES } from '../../../../scripts/console/secrets.mjs'
import { connectionOf, credentialVariables } from './connection.ts'
import { open } from './open.ts'

/** A file system of a few files. */
const files = (texts: Record<string, string>) => (path: string) => {
  const text = texts[path]
  if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  return text
}
const none = files({})
const node = {
  contactPoints: ['127.0.0.1:9142'],
  localDataCenter: 'dc',
  keyspace: 'k',
  username: 'u',
  password: 'p',
}

describe('the connection comes from', () => {
  it('contact points, with their defaults', () => {
    expect(connectionOf({ contactPoints: 'a, b:9043' }, {}, none)).toEqual({
      kind: 'cassandra',
      connect: { contactPoints: ['a', 'b:9043'], localDataCenter: 'datacenter1', keyspace: 'leasehold' },
      mapping: null,
    })
  })

  it('the command line before the environment', () => {
    const env = {
      CASSANDRA_CONTACT_POINTS: 'env',
      CASSANDRA_KEYSPACE: 'env_k',
      CASSANDRA_LOCAL_DC: 'env_dc',
      LEASEHOLD_SERVER: 'http://env',
    }
    expect(connectionOf({ contactPoints: 'here', keyspace: 'mine' }, env, none)).toMatchObject({
      kind: 'cassandra',
      connect: { contactPoints: ['here'], keyspace: 'mine', localDataCenter: 'env_dc' },
    })
    expect(connectionOf({}, env, none)).toMatchObject({ kind: 'server', url: new URL('http://env') })
    expect(connectionOf({ server: 'https://here' }, env, none)).toMatchObject({
      url: new URL('https://here'),
    })
  })

  it("the embedded node's file when there is no other setting", () => {
    const read = files({
      '.leasehold/cassandra.json': JSON.stringify(node),
      'd/cassandra.json': JSON.stringify({ contactPoints: ['x'] }),
    })
    expect(connectionOf({}, {}, read)).toMatchObject({ connect: node, file: '.leasehold/cassandra.json' })
    expect(connectionOf({}, { LEASEHOLD_DATA_DIR: 'd' }, read)).toMatchObject({
      connect: { contactPoints: ['x'] },
    })
    // Its user belongs to that node alone.
    const other = connectionOf({ contactPoints: 'other' }, {}, read)
    expect(other).toMatchObject({ connect: { username: undefined, password: undefined } })
  })

  it('nothing, and then says what to start, or to name', () => {
    expect(() => connectionOf({}, {}, none)).toThrow(
      /there is no \.leasehold\/cassandra\.json\)\. Run `npm start` and wait until it is ready; or give --contact-points/,
    )
    expect(() => connectionOf({ contactPoints: ',' }, {}, none)).toThrow(
      /^No cluster and no server is named\. Give --contact-points/,
    )
  })

  it('set variables: an empty one counts as unset', () => {
    expect(() => connectionOf({}, { CASSANDRA_CONTACT_POINTS: '', LEASEHOLD_SERVER: '' }, none)).toThrow(
      'No cluster',
    )
  })

  it('--table, which has a value column only if --value-column names one', () => {
    const mapping = (options: object) => {
      const connection = connectionOf({ contactPoints: 'a', ...options }, {}, none)
      return connection.kind === 'cassandra' ? connection.mapping : undefined
    }
    expect(mapping({ table: 'jobs', ownerColumn: 'who' })).toEqual({
      table: 'jobs',
      name: 'name',
      owner: 'who',
      value: null,
    })
    expect(mapping({ nameColumn: 'n' })).toEqual({
      table: 'leases',
      name: 'n',
      owner: 'owner',
      value: 'value',
    })
  })

  it.each([
    [
      'a cluster',
      { CASSANDRA_CONTACT_POINTS: 'a' },
      (variant: string) => ({ connect: { paxosVariant: variant } }),
    ],
    ['a server', { LEASEHOLD_SERVER: 'http://s' }, (variant: string) => ({ paxosVariant: variant })],
  ])('the Paxos variant of %s: the command line before the environment', (_what, env, wanted) => {
    const both = { ...env, CASSANDRA_PAXOS_VARIANT: 'v1' }
    expect(connectionOf({}, both, none)).toMatchObject(wanted('v1'))
    expect(connectionOf({ paxosVariant: 'v2' }, both, none)).toMatchObject(wanted('v2'))
  })

  it('TLS, from files', () => {
    const read = files({ ca: 'CA', cert: 'CERT', key: 'KEY' })
    const env = {
      CASSANDRA_CONTACT_POINTS: 'a',
      CASSANDRA_TLS_CA: 'ca',
      CASSANDRA_TLS_CERT: 'cert',
      CASSANDRA_TLS_KEY: 'key',
    }
    expect(connectionOf({}, env, read)).toMatchObject({
      connect: { tls: { ca: 'CA', cert: 'CERT', key: 'KEY' } },
    })
  })
})

describe('secrets', () => {
  it('from the environment or from a file', () => {
    const read = files({ '/run/pw': ' from file \r\n', '/run/token': 'api\n' })
    const env = { CASSANDRA_CONTACT_POINTS: 'a', CASSANDRA_USERNAME: 'u', CASSANDRA_PASSWORD_FILE: '/run/pw' }
    expect(connectionOf({}, env, read)).toMatchObject({ connect: { username: 'u', password: ' from file ' } })
    const server = { LEASEHOLD_SERVER: 'http://s', LEASEHOLD_API_TOKEN_FILE: '/run/token' }
    expect(connectionOf({}, server, read)).toMatchObject({ token: 'api' })
    expect(connectionOf({ token: 'here' }, server, read)).toMatchObject({ token: 'here' })
    expect(() => connectionOf({ token: 'here', contactPoints: 'a' }, {}, none)).toThrow(/for a server/)
  })

  it('never from the fencing token of an outer `leasehold run`', () => {
    expect(connectionOf({}, { LEASEHOLD_SERVER: 'http://s', LEASEHOLD_TOKEN: '1' }, none)).toMatchObject({
      token: undefined,
    })
  })

  it('all stand in the list of what a command under a lease does not inherit', () => {
    const read: string[] = []
    const env = new Proxy<Record<string, string | undefined>>(
      {},
      {
        get: (_, name) => {
          read.push(String(name))
          return undefined
        },
      },
    )
    connectionOf({ contactPoints: 'a' }, env, none)
    connectionOf({ server: 'http://s' }, env, none)
    const own = read.filter((name) => /PASSWORD|TOKEN|KEY$|SECRET/.test(name))
    // Where the command runs with the environment of the console.
    const ofConsole = SECRET_VARIABLES.flatMap((name) => [name, `${name}_FILE`])
    expect([...credentialVariables].sort()).toEqual([...new Set([...own, ...ofConsole])].sort())
  })
})

describe('a wrong setting gives one sentence, and exit code 64', () => {
  it.each<[object, Record<string, string>, string]>([
    [{ server: 'http://s', contactPoints: 'a' }, {}, 'both given'],
    [{ server: 'ftp://s' }, {}, 'not an http or https URL'],
    [{ server: 'http://u:p@s' }, {}, 'contains credentials'],
    [{ server: 'http://s', ownerColumn: 'o' }, {}, 'mapped by the server'],
    [{ contactPoints: ',' }, {}, 'No cluster and no server'],
    [{ contactPoints: 'a' }, { CASSANDRA_PASSWORD: 'p' }, 'but no user'],
    [{ contactPoints: 'a' }, { CASSANDRA_PASSWORD: 'p', CASSANDRA_PASSWORD_FILE: 'f' }, 'both set'],
    [{ contactPoints: 'a' }, { CASSANDRA_PASSWORD_FILE: 'gone' }, 'cannot be read (ENOENT)'],
    [{ contactPoints: 'a' }, { CASSANDRA_TLS_CERT: 'bad' }, 'need CASSANDRA_TLS_CA'],
    [{ contactPoints: 'a' }, { CASSANDRA_SERIAL: 'QUORUM' }, 'neither SERIAL nor'],
    [{ contactPoints: 'a', paxosVariant: '2' }, {}, '--paxos-variant is "2"; v1 or v2'],
    [{ server: 'http://s' }, { CASSANDRA_PAXOS_VARIANT: 'V2' }, 'CASSANDRA_PAXOS_VARIANT is "V2"'],
    [{}, { LEASEHOLD_DATA_DIR: 'bad' }, 'names no contactPoints'],
  ])('%j %j', (options, env, sentence) => {
    const read = files({ bad: '', 'bad/cassandra.json': '{}' })
    expect(() => connectionOf(options, env, read)).toThrow(
      expect.objectContaining({ exit: 64, message: expect.stringContaining(sentence) }),
    )
  })
})

it('to a node of `npm start` that is gone says what to start', async () => {
  const read = files({
    '.leasehold/cassandra.json': JSON.stringify({ ...node, contactPoints: ['127.0.0.1:1'] }),
  })
  const opened = open(connectionOf({}, {}, read))
  await expect(opened).rejects.toMatchObject({
    exit: 123,
    message: expect.stringMatching(
      /`npm start` that \.leasehold\/cassandra\.json names\. See whether `npm start` runs, and wait/,
    ),
  })
  await expect(open(connectionOf({ contactPoints: '127.0.0.1:1' }, {}, read))).rejects.not.toMatchObject({
    message: expect.stringContaining('npm start'),
  })
})
