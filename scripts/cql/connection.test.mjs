import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { findConnection } from './connection.mjs'

const cluster = { CASSANDRA_CONTACT_POINTS: 'a, b:9142' }
const folder = temporaryFolder('leasehold-connection')

/** @param {string} name @param {string} text */
function file(name, text) {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('a cluster that the environment names', () => {
  it('has no TLS and the level SERIAL unless they are set; an empty variable is not set', () => {
    const bare = {
      contactPoints: ['a', 'b:9142'],
      localDataCenter: 'datacenter1',
      keyspace: 'leasehold',
      username: null,
      password: null,
      tls: null,
      serial: 'SERIAL',
    }
    expect(findConnection(cluster)).toEqual(bare)
    expect(findConnection({ ...cluster, CASSANDRA_TLS_CA: '', CASSANDRA_SERIAL: '' })).toEqual(bare)
  })

  it('has the files of CASSANDRA_TLS_CA, _CERT and _KEY, and CASSANDRA_SERIAL', () => {
    const found = findConnection({
      ...cluster,
      CASSANDRA_TLS_CA: file('ca.pem', 'the authority'),
      CASSANDRA_TLS_CERT: file('cert.pem', 'the certificate'),
      CASSANDRA_TLS_KEY: file('key.pem', 'the key'),
      CASSANDRA_SERIAL: 'LOCAL_SERIAL',
    })
    expect(found).toMatchObject({
      tls: { ca: 'the authority', cert: 'the certificate', key: 'the key' },
      serial: 'LOCAL_SERIAL',
    })
  })

  it('has the password of a file without the end of its line: a space may be part of it', () => {
    expect(
      findConnection({ ...cluster, CASSANDRA_PASSWORD_FILE: file('password', ' a b \n') }).password,
    ).toBe(' a b ')
  })

  it.each([
    [{ CASSANDRA_TLS_CERT: '/cert' }, /CASSANDRA_TLS_CERT and CASSANDRA_TLS_KEY need CASSANDRA_TLS_CA/],
    [{ CASSANDRA_TLS_CA: '/no/such' }, /CASSANDRA_TLS_CA: the file \/no\/such cannot be read \(ENOENT\)/],
    [{ CASSANDRA_PASSWORD_FILE: '/no/such' }, /CASSANDRA_PASSWORD_FILE: the file .* cannot be read/],
    [{ CASSANDRA_SERIAL: 'QUORUM' }, /CASSANDRA_SERIAL is neither SERIAL nor LOCAL_SERIAL/],
  ])('is refused with %j', (wrong, sentence) => {
    expect(() => findConnection({ ...cluster, ...wrong })).toThrow(
      expect.objectContaining({ name: 'Failure', message: expect.stringMatching(sentence) }),
    )
  })
})
