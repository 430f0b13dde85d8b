/** Who ends a lease without a plan: with and without an owner column, names of two people, forced releases switched off; whose name an owner has. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testSession } from '../../../leasehold/test/node-session.ts'
import { cookieOf, type TestConsole, testConsole } from '../../test/test-console.ts'

const password = 'a password of some length'
const keyspace = `releases_test_${Date.now().toString(36)}`
let enabled: TestConsole
let disabled: TestConsole
type Send = (method: string, path: string, body?: unknown) => ReturnType<TestConsole['api']>

async function operator(at: TestConsole, username: string, role = 'operator'): Promise<Send> {
  await at.context.users.create(username, password, role as 'operator')
  const signedIn = await at.api('POST', '/v1/session', { username, password }, { cookie: '' })
  const own = { cookie: cookieOf(signedIn) }
  const elevated = cookieOf(await at.api('POST', '/v1/session/elevation', { password }, own))
  return (method, path, body) => at.api(method, path, body, { cookie: elevated })
}
async function program(name: string): Promise<Send> {
  const { body } = await enabled.api('POST', '/v1/tokens', { name, prefixes: [''], tables: ['*'] })
  const own = { cookie: '', origin: '', authorization: `Bearer ${body.token}` }
  return (method, path, sent) => enabled.api(method, path, sent, own)
}
const entriesOf = async (name: string, table = 'leases') => {
  const { entries } = await enabled.context.audit.page({ name, table, chain: 'main', limit: 100 })
  return entries.map(({ act, phase, actor, outcome }) => [actor.username, act, phase, outcome]).reverse()
}
const isHeld = async (name: string) =>
  (await enabled.api('GET', `/v1/locks/${name}?table=cron`)).status === 200

beforeAll(async () => {
  const session = await testSession(keyspace)
  await session.client.execute(
    `CREATE TABLE IF NOT EXISTS ${keyspace}.cron (lockname text PRIMARY KEY) WITH default_time_to_live = 180`,
  )
  await session.close()
  const LEASEHOLD_CONFIG = JSON.stringify({
    tables: { cron: { table: 'cron', name: 'lockname', owner: null } },
    secondPersonFor: ['two/'],
  })
  enabled = await testConsole(keyspace, { LEASEHOLD_CONFIG })
  disabled = await testConsole(keyspace, { LEASEHOLD_CONFIG, LEASEHOLD_ADMIN_ACTIONS: 'disabled' })
})
afterAll(async () => {
  await enabled?.context.session.close()
  await disabled?.context.session.close()
})

describe('a table without an owner column', () => {
  const hold = async (name: string) =>
    expect((await enabled.api('PUT', `/v1/locks/${name}?table=cron`, { ttlSeconds: 120 })).status).toBe(201)

  it('lets no operator release, whatever owner the request names', async () => {
    const olga = await operator(enabled, 'olga')
    const atDisabled = await operator(disabled, 'oleg')
    for (const name of ['x', 'two%2Fx']) {
      await hold(name)
      for (const [who, query] of [
        [olga, '&owner=olga@console:x'],
        [olga, ''],
        [atDisabled, '&owner=oleg@console:x'],
        [atDisabled, ''],
      ] as const) {
        const refused = await who('DELETE', `/v1/locks/${name}?table=cron${query}`)
        expect([refused.status, refused.body?.code]).toEqual([403, 'forbidden'])
      }
      expect(await isHeld(name)).toBe(true)
    }
  })

  it('lets an elevated admin release by force, with an entry in the audit log', async () => {
    await hold('forced')
    const named = await enabled.api('DELETE', '/v1/locks/forced?table=cron&owner=admin@console:x')
    expect([named.status, named.body.detail]).toEqual([400, expect.stringContaining('no owner column')])
    expect(await isHeld('forced')).toBe(true)
    expect((await enabled.api('DELETE', '/v1/locks/forced?table=cron')).status).toBe(204)
    await expect
      .poll(() => entriesOf('forced', 'cron'))
      .toEqual([
        ['admin', 'release', 'intent', null],
        ['admin', 'release', 'outcome', 'released'],
      ])
    const again = await enabled.api('DELETE', '/v1/locks/forced?table=cron')
    expect([again.status, again.body.code]).toEqual([404, 'not-held'])
  })

  it('lets no admin release where forced releases are switched off, or two people are needed', async () => {
    await hold('off')
    await hold('two%2Foff')
    const off = await disabled.api('DELETE', '/v1/locks/off?table=cron')
    expect([off.status, off.body.detail]).toEqual([403, expect.stringContaining('disabled on this server')])
    const two = await enabled.api('DELETE', '/v1/locks/two%2Foff?table=cron')
    expect([two.status, two.body.detail]).toEqual([403, expect.stringContaining('two people')])
    expect([await isHeld('off'), await isHeld('two%2Foff')]).toEqual([true, true])
  })

  it('lets a token release the names of its prefixes, with an entry in the audit log', async () => {
    const cron = await program('cron')
    await hold('nightly')
    expect((await cron('DELETE', '/v1/locks/nightly?table=cron')).status).toBe(204)
    await expect
      .poll(() => entriesOf('nightly', 'cron'))
      .toEqual([
        ['cron', 'release', 'intent', null],
        ['cron', 'release', 'outcome', 'released'],
      ])
    const again = await cron('DELETE', '/v1/locks/nightly?table=cron')
    expect([again.status, again.body.code]).toEqual([404, 'not-held'])
    expect(await entriesOf('nightly', 'cron')).toHaveLength(2)
  })
})

it('an admin’s release of another owner’s lease is no release where a client dated the row ahead of the clocks', async () => {
  for (const kind of ['locks', 'elections']) {
    const name = `dated-${kind}`
    await enabled.context.session.client.execute(
      `INSERT INTO ${keyspace}.leases (name, owner, value) VALUES (?, 'plain', 'v') USING TTL 300 AND TIMESTAMP ?`,
      [name, String((Date.now() + 60_000) * 1_000)],
      { prepare: true },
    )
    const answer = await enabled.api('DELETE', `/v1/${kind}/${name}?owner=plain`)
    expect([answer.status, answer.body?.code]).toEqual([409, 'no-effect'])
    expect((await enabled.api('GET', `/v1/locks/${name}`)).body).toMatchObject({ owner: 'plain', value: 'v' })
    await expect
      .poll(() => entriesOf(name))
      .toEqual([
        ['admin', 'release', 'intent', null],
        ['admin', 'release', 'outcome', 'not-released'],
      ])
  }
})

describe('a name that needs a second person', () => {
  const put = (who: Send, name: string, body: unknown) =>
    who('PUT', `/v1/locks/${encodeURIComponent(name)}`, body)

  it('is not ended by a shorter renewal without an entry in the audit log', async () => {
    const payments = await program('payments')
    const { body } = await put(payments, 'two/short', { ttlSeconds: 600 })
    const { owner } = body
    // Renewals that leave the lease its time are everyday work.
    expect((await put(payments, 'two/short', { owner, ttlSeconds: 600 })).status).toBe(200)
    expect(await entriesOf('two/short')).toEqual([])
    expect((await put(payments, 'two/short', { owner, ttlSeconds: 2, renewOnly: true })).status).toBe(200)
    await expect
      .poll(() => entriesOf('two/short'))
      .toEqual([
        ['payments', 'renewal', 'intent', null],
        ['payments', 'renewal', 'outcome', 'renewed'],
      ])
    const lead = await payments('POST', '/v1/elections/two%2Flead', { ttlSeconds: 600 })
    const shorter = { owner: lead.body.owner, ttlSeconds: 2 }
    expect((await payments('POST', '/v1/elections/two%2Flead', shorter)).status).toBe(200)
    await expect.poll(() => entriesOf('two/lead')).toHaveLength(2)
  })

  it('is taken by an operator with an entry in the audit log, and released with one', async () => {
    const otto = await operator(enabled, 'otto')
    const { body, status } = await put(otto, 'two/taken', { ttlSeconds: 60 })
    expect(status).toBe(201)
    const taken = [
      ['otto', 'acquire', 'intent', null],
      ['otto', 'acquire', 'outcome', 'acquired'],
    ]
    await expect.poll(() => entriesOf('two/taken')).toEqual(taken)
    // A try against a holder changes nothing.
    expect((await put(otto, 'two/taken', { ttlSeconds: 60 })).status).toBe(409)
    expect((await put(otto, 'two/taken', { owner: body.owner, ttlSeconds: 60 })).status).toBe(200)
    expect(await entriesOf('two/taken')).toEqual(taken)
    const owner = encodeURIComponent(body.owner)
    expect((await otto('DELETE', `/v1/locks/two%2Ftaken?owner=${owner}`)).status).toBe(204)
    await expect
      .poll(() => entriesOf('two/taken'))
      .toEqual([...taken, ['otto', 'release', 'intent', null], ['otto', 'release', 'outcome', 'released']])
    expect((await otto('POST', '/v1/elections/two%2Fled', { ttlSeconds: 60 })).status).toBe(201)
    await expect.poll(() => entriesOf('two/led')).toHaveLength(2)
  })

  it('is not said to be released by a token where a client dated the row ahead of the clocks', async () => {
    const dated = await program('dated')
    await enabled.context.session.client.execute(
      `INSERT INTO ${keyspace}.leases (name, owner) VALUES ('two/dated', 'plain') USING TTL 300 AND TIMESTAMP ?`,
      [String((Date.now() + 60_000) * 1_000)],
      { prepare: true },
    )
    const answer = await dated('DELETE', '/v1/locks/two%2Fdated?owner=plain')
    expect([answer.status, answer.body?.code]).toEqual([409, 'no-effect'])
    await expect
      .poll(() => entriesOf('two/dated'))
      .toEqual([
        ['dated', 'release', 'intent', null],
        ['dated', 'release', 'outcome', 'not-released'],
      ])
  })

  it('is everyday work for programs', async () => {
    const worker = await program('worker')
    expect((await put(worker, 'two/work', { ttlSeconds: 60 })).status).toBe(201)
    const notHeld = await worker('DELETE', '/v1/locks/two%2Fwork?owner=another')
    expect([notHeld.status, notHeld.body.code]).toEqual([412, 'not-holder'])
    expect(await entriesOf('two/work')).toEqual([])
  })
})

describe('an owner with a person’s name', () => {
  it('is given by the console, to that person alone, on every route that takes an owner', async () => {
    const ada = await operator(enabled, 'ada', 'admin')
    const oona = await operator(enabled, 'oona')
    // A token may have the name of a person.
    const token = await program('ada')
    const micros = `${BigInt(Date.now()) * 1000n}`
    const ticket = { number: micros, at: micros, ttlSeconds: 5 }
    const owner = 'ada@console:made-up'
    for (const who of [oona, token])
      for (const [method, path, body] of [
        ['PUT', '/v1/locks/named', { owner, ttlSeconds: 60 }],
        ['PUT', '/v1/locks/named', { owner, ttlSeconds: 60, renewOnly: true }],
        ['POST', '/v1/elections/named', { owner, ttlSeconds: 60 }],
        ['PUT', `/v1/queues/named/tickets/${owner}`, ticket],
      ] as const) {
        const refused = await who(method, path, body)
        expect([path, refused.status, refused.body?.code]).toEqual([path, 403, 'forbidden'])
        expect(refused.body.detail).toContain('Leave the owner out')
      }
    expect((await oona('GET', '/v1/locks/named')).status).toBe(404)
    expect((await ada('PUT', '/v1/locks/named', { owner, ttlSeconds: 60 })).status).toBe(201)
    expect((await ada('PUT', `/v1/queues/named/tickets/${owner}`, ticket)).status).toBe(204)
    // A caller may choose any other owner.
    expect((await token('PUT', '/v1/locks/free', { owner: 'ada@host:1', ttlSeconds: 60 })).status).toBe(201)
  })

  it('that is there already is renewed and released by that person', async () => {
    const olaf = await operator(enabled, 'olaf')
    const other = await operator(enabled, 'other')
    const store = enabled.context.tables.get('leases')?.leases.context.store
    const owner = 'olaf@console:of-before'
    await store?.acquire({ name: 'before', owner, value: null, ttlSeconds: 60 })
    expect((await other('PUT', '/v1/locks/before', { owner, ttlSeconds: 60 })).status).toBe(403)
    expect((await other('DELETE', `/v1/locks/before?owner=${owner}`)).status).toBe(403)
    expect((await olaf('PUT', '/v1/locks/before', { owner, ttlSeconds: 60 })).status).toBe(200)
    expect((await olaf('POST', '/v1/elections/before', { owner, ttlSeconds: 60 })).status).toBe(200)
    expect((await olaf('DELETE', `/v1/locks/before?owner=${owner}`)).status).toBe(204)
  })
})
