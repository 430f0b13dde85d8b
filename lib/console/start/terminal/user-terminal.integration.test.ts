import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cookieOf, type TestConsole, testConsole, testEnvironment } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

/** `npm run user`, as an administrator with a shell on the server starts it, beside a running console. */
let keyspace: string
let console: TestConsole
let environment: Record<string, string | undefined>

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
  const { dataDir, cassandra } = console.context.config
  environment = {
    ...testEnvironment(keyspace),
    LEASEHOLD_DATA_DIR: dataDir,
    CASSANDRA_USERNAME: cassandra.username,
    CASSANDRA_PASSWORD: cassandra.password,
  }
})
afterAll(() => console?.context.session.close())

interface Ended {
  code: number | null
  out: string
  err: string
}

async function user(line: string, { input = '', env = {} } = {}): Promise<Ended> {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['scripts/user.mjs', ...line.split(' ')], {
    env: { PATH, HOME, NODE_ENV: 'production', ...environment, ...env },
    stdio: 'pipe',
  })
  // A child that ends before it reads: its exit code says so.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((done) => child.once('close', done)),
  ])
  return { code, out, err }
}

/** Beside what it says of waiting for another one that compiles. */
const says = (sentence: string) => expect.stringContaining(sentence)

const signIn = (username: string, password: string) =>
  console.api('POST', '/v1/session', { username, password }, { cookie: '' })

describe('npm run user', () => {
  it('adds a user, with a password from standard input', async () => {
    const added = await user('add ann --role operator --password-stdin', { input: 'a long password\n' })
    expect(added).toEqual({ code: 0, out: '', err: says('ann may sign in, as operator.') })
    expect((await signIn('ann', 'a long password')).body.role).toBe('operator')
    const again = await user('add ann --role admin --password-stdin', { input: 'a long password' })
    expect([again.code, again.err]).toEqual([1, says('The user ann exists already')])
  })

  it('makes a password up, and prints that alone', async () => {
    const cookie = cookieOf(await signIn('ann', 'a long password'))
    const { code, out } = await user('passwd ann --generate')
    expect([code, out]).toEqual([0, expect.stringMatching(/^[\w-]{24}\n$/)])
    expect((await signIn('ann', 'a long password')).status).toBe(401)
    expect((await signIn('ann', out.trim())).status).toBe(200)
    expect((await console.api('GET', '/v1/session', undefined, { cookie })).status).toBe(401)
  })

  it('changes roles by the rules of the API', async () => {
    const last = await user('disable admin')
    expect([last.code, last.err]).toEqual([1, says('admin is the last admin')])
    expect((await user('role ann admin')).err).toEqual(says('ann is admin now.'))
    expect((await user('disable ann')).code).toBe(0)
    const { out } = await user('list')
    expect(out.split('\n').map((line) => line.split('\t').slice(0, 4).join(' '))).toEqual([
      'admin admin enabled password',
      'ann admin disabled password',
      '',
    ])
    const root = { subject: 'https://idp.example|1', username: 'root', role: 'admin' } as const
    await console.context.users.upsertFromSso(root)
    const demoted = await user('role root viewer')
    expect([demoted.code, demoted.err]).toEqual([1, says('Change the claim there, or disable root here')])
    expect((await user('enable ann')).err).toEqual(says('ann may sign in again.'))
  })

  it('writes the audit entry under the name of the system user', async () => {
    const { entries } = await console.context.audit.page({ act: 'user-create', limit: 10 })
    const made = entries.filter(({ on }) => on.kind === 'user' && on.username === 'ann')
    // Newest first: the second one was refused.
    expect(made.map(({ phase, outcome }) => outcome ?? phase)).toEqual(['refused', 'intent', 'ok', 'intent'])
    expect(made[0]?.actor).toMatchObject({ via: 'terminal', role: 'admin' })
    expect(made[0]?.actor.username).not.toBe('')
    expect(JSON.stringify(entries)).not.toContain('a long password')
  })

  /** What the writer's role can read and put back. */
  const rowOf = async (username: string) => {
    const cql = `SELECT * FROM "${keyspace}".users WHERE username = ?`
    return (await console.context.session.client.execute(cql, [username], { prepare: true })).rows[0]
  }
  const putBack = (row: Awaited<ReturnType<typeof rowOf>>, at = new Date()) => {
    const names = row?.keys() ?? []
    const marks = names.map(() => '?').join(', ')
    return console.context.session.client.execute(
      `INSERT INTO "${keyspace}".users (${names.join(', ')}) VALUES (${marks}) USING TIMESTAMP ?`,
      [...names.map((name) => row?.get(name)), BigInt(at.getTime()) * 1000n],
      { prepare: true },
    )
  }
  const written = (username: string, act: string) =>
    expect
      .poll(async () => {
        const { entries } = await console.context.audit.page({ limit: 20 })
        return entries.some(
          ({ on, phase, ...entry }) =>
            entry.act === act && phase === 'outcome' && on.kind === 'user' && on.username === username,
        )
      })
      .toBe(true)

  it('seals no older row that was put back, except with --repair', async () => {
    const account = { username: 'demoted', password: 'a long password', role: 'admin' }
    await console.api('POST', '/v1/users', account)
    const admin = await rowOf('demoted')
    await console.api('PUT', '/v1/users/demoted', { role: 'viewer', disabled: true })
    await written('demoted', 'user-change')
    await putBack(admin)
    for (const line of ['passwd demoted --generate', 'disable demoted', 'role demoted viewer']) {
      const refused = await user(line)
      expect([refused.code, refused.out]).toEqual([1, ''])
      expect(refused.err).toContain('The row of demoted is older than the version in the audit log')
      expect(refused.err).toMatch(/the row: +admin, enabled, written at/)
      expect(refused.err).toMatch(/the audit log: .*user-change by admin, {"role":"viewer","disabled":true}/)
    }
    expect((await user('list')).err).toEqual(says('demoted has no valid row'))
    const repaired = await user('disable demoted --repair')
    expect([repaired.code, repaired.err]).toEqual([0, says('demoted can no longer sign in')])
    await console.context.audit.follow()
    expect(await console.context.users.find('demoted')).toMatchObject({ role: 'admin', disabled: true })
  })

  it('lists users without a row that counts, and seals their rows as they are', async () => {
    const { client } = console.context.session
    await client.execute(`UPDATE "${keyspace}".users SET seal = 'of another key' WHERE username = 'ann'`)
    const listed = await user('list')
    expect([listed.out, listed.err]).toEqual([
      expect.not.stringContaining('ann'),
      says('ann has no valid row'),
    ])
    expect((await user('passwd ann --generate')).err).toEqual(says('The row of ann has no valid seal'))
    const sealed = await user('seal')
    expect([sealed.code, sealed.out]).toEqual([0, says('ann\tadmin\tenabled')])
  })

  it('says what is wrong with a row whose version is no time, and accepts it with --repair', async () => {
    await user('add vera --role viewer --password-stdin', { input: 'a long password' })
    const set = `UPDATE "${keyspace}".users SET version = 9223372036854775807 WHERE username = 'vera'`
    await console.context.session.client.execute(set)
    const refused = await user('passwd vera --generate')
    expect([refused.code, refused.err]).toEqual([1, says('The row of vera has no valid seal')])
    expect(refused.err).toMatch(/the row: +viewer, enabled, written at a time that is no date/)
    expect((await user('role vera operator --repair')).code).toBe(0)
    await console.context.audit.follow()
    expect((await signIn('vera', 'a long password')).body.role).toBe('operator')
  })

  it('makes a user again whose row was deleted outside the console, with --repair', async () => {
    const sso = { subject: 'https://idp.example|2', username: 'gone-sso', role: 'operator' } as const
    await console.api('POST', '/v1/users', { username: 'gone', password: 'a long password', role: 'viewer' })
    await written('gone', 'user-create')
    await console.context.users.upsertFromSso(sso)
    for (const name of ['gone', 'gone-sso'])
      await console.context.session.client.execute(
        `DELETE FROM "${keyspace}".users WHERE username = '${name}'`,
      )
    const add = 'add gone --role viewer --password-stdin'
    const refused = await user(add, { input: 'another password' })
    expect([refused.code, refused.err]).toEqual([1, says('the row is gone')])
    expect((await user('passwd gone --generate')).err).toEqual(says('The row of gone is gone'))
    expect((await user(`${add} --repair`, { input: 'another password' })).code).toBe(0)
    expect((await signIn('gone', 'another password')).status).toBe(200)
    const restored = await user(`add gone-sso --role operator --subject ${sso.subject} --repair`)
    expect([restored.code, restored.out]).toEqual([0, ''])
    expect(await console.context.users.upsertFromSso(sso)).toMatchObject({ username: 'gone-sso' })
  })

  const inAYear = new Date(Date.now() + 365 * 86_400_000)
  /** As a client with the writer's password: the row once more as it is, with a timestamp in the future. */
  const date = async (username: string) => putBack(await rowOf(username), inAYear)

  it('does not say that a row was changed which is dated in the future, and changes it with --repair', async () => {
    await user('add alma --role operator --password-stdin', { input: 'a long password' })
    await date('alma')
    const refused = await user('passwd alma --generate')
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).toContain(inAYear.toISOString())
    expect(refused.err).toContain('--repair')
    const repaired = await user('passwd alma --generate --repair')
    expect([repaired.code, repaired.err]).toEqual([0, says('alma has a new password')])
    // A microsecond later: the console cannot change this row either.
    expect(repaired.err).toContain(inAYear.toISOString())
    expect((await signIn('alma', repaired.out.trim())).status).toBe(200)
    expect((await user('role alma viewer --repair')).code).toBe(0)
    expect((await signIn('alma', repaired.out.trim())).body.role).toBe('viewer')
    expect((await user('disable alma')).code).toBe(1)
    expect((await user('disable alma --repair')).code).toBe(0)
    expect((await user('list')).out).toMatch(/^alma\tviewer\tdisabled/m)
  })

  it('makes a user whose row was deleted in the future, or says that the row does not appear', async () => {
    const { client } = console.context.session
    const remove = (username: string, timestamp: bigint) =>
      client.execute(
        `DELETE FROM "${keyspace}".users USING TIMESTAMP ${timestamp} WHERE username = '${username}'`,
      )
    for (const name of ['adam', 'eternal'])
      await user(`add ${name} --role viewer --password-stdin`, { input: 'a long password' })
    await remove('adam', BigInt(inAYear.getTime()) * 1000n)
    const made = await user('add adam --role operator --generate --repair')
    expect([made.code, made.err]).toEqual([0, says('adam may sign in, as operator')])
    expect((await signIn('adam', made.out.trim())).body.role).toBe('operator')
    await remove('eternal', 2n ** 63n - 1n)
    const refused = await user('add eternal --role operator --generate --repair')
    expect([refused.code, refused.out, refused.err]).toEqual([1, '', says('another user name')])
  })

  it('prints a new one-time link while there is no first user, and refuses to afterwards', async () => {
    const refused = await user('link')
    expect([refused.code, refused.err]).toEqual([1, says('The user admin exists')])
    await console.context.session.client.execute(`DELETE FROM "${keyspace}".users WHERE username = 'admin'`)
    const { code, out } = await user('link')
    expect(code).toBe(0)
    const token = new URL(out.trim()).hash.slice(1)
    expect(await console.context.setupLink.accepts(token)).toBe(true)
    expect(await console.context.setupLink.accepts(`${token}x`)).toBe(false)
  })

  it('names the wrong argument, and changes nothing', async () => {
    const tries = [
      await user('add be --role king --generate'),
      await user('add b/e --role viewer --generate'),
      await user('add be --role viewer --password-stdin', { input: 'short' }),
      await user('add be --role viewer'),
    ]
    expect(tries.map(({ code }) => code)).toEqual([2, 2, 2, 2])
    expect(tries.map(({ err }) => err).join('')).not.toContain('Unexpected')
    expect((await user('list')).out).not.toContain('be\t')
    const elsewhere = await user('list', {
      env: { LEASEHOLD_DATA_DIR: '/tmp/nothing-here', LEASEHOLD_AUDIT_KEY: '' },
    })
    expect([elsewhere.code, elsewhere.err]).toEqual([1, says('audit key is not here')])
  })
})
