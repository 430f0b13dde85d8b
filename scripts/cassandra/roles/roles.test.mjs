import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.mjs'
import { ensureRolesFile, roleEnvironment } from '../roles-file.mjs'
import { isRefusedSignIn, isUncheckedSignIn, rowsOf, signIn } from './cql-connection.mjs'
import { grants, whyNotSignedIn } from './roles.mjs'

describe('the file of the passwords', () => {
  /** @type {string} */
  let dir
  beforeEach(() => {
    dir = temporaryFolder('leasehold-roles')
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))
  const file = () => join(dir, 'roles.json')

  it('is made once, for its owner alone', () => {
    const first = ensureRolesFile(file())
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(ensureRolesFile(file())).toEqual(first)
    const passwords = Object.values(first).map(({ password }) => password)
    expect(new Set(passwords).size).toBe(5)
    for (const password of passwords) expect(password).toMatch(/^[\w-]{43}$/)
  })
  it('gets what is missing, and keeps the rest', () => {
    const { writer } = ensureRolesFile(file())
    const passwords = JSON.parse(readFileSync(file(), 'utf8'))
    delete passwords.leasehold_writer
    writeFileSync(file(), JSON.stringify(passwords))
    const second = ensureRolesFile(file())
    expect(second.admin.password).toBe(passwords.leasehold_admin)
    expect(second.writer.password).not.toBe(writer.password)
  })
  it.each(['', '{', '[1]', '{"leasehold_admin":""}', '"x"'])(
    'is not replaced when it is damaged: %j',
    (text) => {
      writeFileSync(file(), text)
      expect(() => ensureRolesFile(file())).toThrow(/roles\.json is damaged/)
      expect(readFileSync(file(), 'utf8')).toBe(text)
    },
  )
  it('gives a console every role but the superuser', () => {
    const roles = ensureRolesFile(file())
    const env = roleEnvironment(roles)
    expect(env).toMatchObject({
      CASSANDRA_USERNAME: 'leasehold_writer',
      CASSANDRA_READ_USERNAME: 'leasehold_reader',
    })
    expect(Object.values(env)).not.toContain(roles.admin.password)
    expect(Object.values(env)).not.toContain(roles.program.password)
  })
})

it("grants reading alone on Cassandra's own keyspaces, and no role to modify everything", () => {
  const list = grants(['system', 'system_auth', 'leasehold', 'odd"one'])
  expect(list.filter((cql) => /system/.test(cql))).toEqual([
    'GRANT SELECT ON KEYSPACE system_views TO leasehold_reader',
    'GRANT SELECT ON TABLE system_views.settings TO leasehold_schema',
    'GRANT SELECT ON TABLE system_views.settings TO leasehold_writer',
    'GRANT SELECT ON TABLE system_views.settings TO leasehold_program',
  ])
  expect(list).toContain('GRANT ALL PERMISSIONS ON KEYSPACE "odd""one" TO leasehold_schema')
  expect(list.filter((cql) => /(MODIFY|AUTHORIZE|ALL PERMISSIONS) ON ALL KEYSPACES/.test(cql))).toEqual([])
  expect(list.filter((cql) => cql.endsWith('TO leasehold_program'))).toEqual([
    'GRANT SELECT ON TABLE system_views.settings TO leasehold_program',
    'GRANT CREATE ON KEYSPACE programs TO leasehold_program',
  ])
})

it('a refusal blames the file of passwords only where another start made it', () => {
  const asked = { unchecked: undefined, username: 'leasehold_admin', rolesFile: 'roles.json' }
  const why = (
    /** @type {number} */ seconds,
    isNew = false,
    unchecked = /** @type {unknown} */ (undefined),
  ) => whyNotSignedIn({ ...asked, waitedMs: seconds * 1000, isNew, unchecked })
  expect(why(59)).toBeNull()
  expect(why(60)).toMatch(/refuses leasehold_admin with the password of roles.json/)
  expect(why(239, true)).toBeNull()
  expect(why(240, true)).toMatch(/makes its first role late.*Start again/)
  expect(why(239, false, new Error('busy'))).toBeNull()
  expect(why(240, false, new Error('busy'))).toMatch(/overloaded.*\(busy\)/)
})

describe('a connection without the driver', () => {
  /** A server that answers each request with the next frame. @param {Buffer[]} frames */
  const serving = async (frames) => {
    const server = createServer((socket) => {
      socket.on('data', () => {
        const frame = frames.shift()
        if (frame === undefined) return socket.destroy()
        // In two pieces: a frame need not arrive whole.
        socket.write(frame.subarray(0, 5))
        setImmediate(() => socket.write(frame.subarray(5)))
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    return { port, close: () => server.close() }
  }
  const frame = (/** @type {number} */ opcode, /** @type {Buffer} */ body, flags = 0) =>
    Buffer.concat([Buffer.from([0x84, flags, 0, 0, opcode]), int(body.length), body])
  const int = (/** @type {number} */ n) => Buffer.from([n >>> 24, n >>> 16, n >>> 8, n])
  const text = (/** @type {string} */ s) => Buffer.concat([Buffer.from([0, s.length]), Buffer.from(s)])
  const authenticate = frame(0x03, text('PasswordAuthenticator'))
  const cell = (/** @type {string} */ s) => Buffer.concat([int(s.length), Buffer.from(s)])
  // Rows; one table for all columns; two columns, varchar and boolean; two rows, the last cell null.
  const rows = Buffer.concat([
    ...[int(2), int(1), int(2), text('ks'), text('t'), text('a'), Buffer.from([0, 13]), text('b')],
    ...[Buffer.from([0, 4]), int(2), cell('x'), cell('\x01'), cell(''), int(-1)],
  ])

  /** @param {Buffer[]} frames @param {(port: number) => Promise<unknown>} use */
  const against = async (frames, use) => {
    const { port, close } = await serving(frames)
    await use(port).finally(close)
  }
  const as = (/** @type {number} */ port) => ({ host: '127.0.0.1', port, username: 'u', password: 'p' })

  it('signs in, and reads rows behind warnings', async () => {
    const warned = Buffer.concat([Buffer.from([0, 1]), text('careful'), rows])
    await against([authenticate, frame(0x10, int(-1)), frame(0x08, warned, 0x08)], async (port) => {
      const connection = await signIn(as(port))
      expect(await connection.query('SELECT')).toEqual([
        ['x', '\x01'],
        ['', ''],
      ])
      connection.close()
    })
  })
  it('distinguishes a refused sign-in from every other error', async () => {
    const refused = frame(0x00, Buffer.concat([int(0x0100), text('no')]))
    await against([authenticate, refused], async (port) => {
      const error = await signIn(as(port)).catch((thrown) => thrown)
      expect([error.message, isRefusedSignIn(error)]).toEqual(['no', true])
    })
    // With the code of a wrong password: the node could not read its roles in time.
    const unchecked = frame(
      0x00,
      Buffer.concat([int(0x0100), text('Unable to perform authentication: timed out')]),
    )
    await against([authenticate, unchecked], async (port) => {
      const error = await signIn(as(port)).catch((thrown) => thrown)
      expect([isRefusedSignIn(error), isUncheckedSignIn(error)]).toEqual([false, true])
    })
    const overloaded = frame(0x00, Buffer.concat([int(0x1001), text('busy')]))
    await against([authenticate, overloaded], async (port) => {
      expect(isRefusedSignIn(await signIn(as(port)).catch((thrown) => thrown))).toBe(false)
    })
    await against([], async (port) => {
      await expect(signIn(as(port))).rejects.toThrow('closed the connection')
    })
  })
  it('reads no rows of what is none', () => {
    expect(rowsOf(int(1))).toEqual([])
  })
})
