import { describe, expect, it } from 'vitest'
import { labLeaseName } from '../../../contract/lab/lab-lease.ts'
import { serve } from '../../http/router.ts'
import { runId } from '../../lab/journal/run-facts.ts'
import { cookieOf, testOrigin } from '../../test/test-console.ts'
import { password, pathOf, planBy, Releasing } from './test-releasing.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const world = new Releasing()

describe('ways around a plan', () => {
  it('renewing the lease of another owner for less time is a kill', async () => {
    const operator = await world.person('shortener', 'operator')
    await world.acquire('long', 'holder', 600)
    for (const body of [
      { owner: 'holder', ttlSeconds: 2, renewOnly: true },
      { owner: 'holder', ttlSeconds: 2 },
    ])
      expect((await operator('PUT', '/v1/locks/long', body)).body.code).toBe('forbidden')
    expect((await operator('POST', '/v1/elections/long', { owner: 'holder', ttlSeconds: 2 })).body.code).toBe(
      'forbidden',
    )
    expect((await world.console.api('GET', pathOf('long'))).body.ttlSeconds).toBeOneOf([599, 600, 601])
    // A person may renew what the same person acquired.
    const own = (await operator('PUT', '/v1/locks/short', { ttlSeconds: 30 })).body
    const renewal = { owner: own.owner, ttlSeconds: 20, renewOnly: true }
    expect((await operator('PUT', '/v1/locks/short', renewal)).status).toBe(200)
    // A person who may kill may do so here too, and the audit log has it.
    expect((await world.acquire('long', 'holder', 10)).status).toBe(200)
    await expect
      .poll(() => world.entriesOf('long'))
      .toContainEqual(['admin', 'renewal', 'outcome', 'renewed'])
  })

  it('a name that two people release is not released by one who names its owner', async () => {
    await world.console.api('PUT', '/v1/locks/two%2Fdirect', { owner: 'holder', ttlSeconds: 60 })
    expect((await world.console.api('DELETE', '/v1/locks/two%2Fdirect?owner=holder')).body.code).toBe(
      'forbidden',
    )
    expect((await world.console.api('DELETE', '/v1/elections/two%2Fdirect?owner=holder')).body.code).toBe(
      'forbidden',
    )
    expect(await world.ownerOf('two/direct')).toBe('holder')
  })

  it('the console’s own leases cannot be acquired or released over the API', async () => {
    expect((await world.acquire('leasehold/recovery', 'me')).body.code).toBe('forbidden')
    expect((await world.console.api('DELETE', '/v1/locks/leasehold%2Frecovery?owner=me')).body.code).toBe(
      'forbidden',
    )
  })

  it('the console’s own leases cannot be acquired, queued for or released by a program either', async () => {
    const prefixes = ['', 'leasehold/']
    const { body } = await world.console.api('POST', '/v1/tokens', { name: 'wide', prefixes })
    const headers = { cookie: '', origin: '', authorization: `Bearer ${body.token}` }
    const at = Date.now() * 1000
    for (const name of ['recovery', 'migrations', 'probe', 'anything'])
      for (const [method, path, sent] of [
        ['PUT', `/v1/locks/leasehold%2F${name}`, {}],
        ['PUT', `/v1/locks/leasehold%2F${name}`, { owner: 'me', renewOnly: true }],
        ['DELETE', `/v1/locks/leasehold%2F${name}?owner=me`, undefined],
        ['POST', `/v1/elections/leasehold%2F${name}`, {}],
        ['DELETE', `/v1/elections/leasehold%2F${name}?owner=me`, undefined],
        ['PUT', `/v1/queues/leasehold%2F${name}/tickets/me`, { number: `${at}`, at: `${at}`, ttlSeconds: 6 }],
      ] as const) {
        const answer = await world.console.api(method, path, sent, headers)
        expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, 'forbidden'])
      }
  })

  it('a name of the lab’s leases, which raise no alarm, cannot be taken over the API', async () => {
    const run = runId(Date.now(), 'abcde')
    for (const name of [labLeaseName(run, 'leader'), labLeaseName(run, 'bakery'), 'lab/a1b2c3d4/leader']) {
      const answer = await world.acquire(name, 'me')
      expect([name, answer.status, answer.body.code]).toEqual([name, 403, 'forbidden'])
      expect(await world.ownerOf(name)).toBeUndefined()
    }
    for (const name of [`lab/${run}/other`, 'lab/printers-2/leader'])
      expect((await world.acquire(name, 'me')).status).toBe(201)
  })

  it('a plan without an act cannot be approved', async () => {
    const operator = await world.person('approver', 'operator')
    await world.acquire('only-planned', 'holder')
    const made = await planBy(operator, 'only-planned')
    expect((await world.console.api('POST', `/v1/releases/${made.id}/approval`)).body.code).toBe(
      'not-awaiting',
    )
    expect(await world.ownerOf('only-planned')).toBe('holder')
  })

  it('a query parameter that is given twice is refused, or one value could be checked and the other used', async () => {
    const made = await world.console.api('POST', '/v1/tokens', {
      name: 'billing',
      role: 'viewer',
      prefixes: ['billing/'],
    })
    const authorization = `Bearer ${made.body.token}`
    const listed = await world.console.api('GET', '/v1/leases?prefix=billing/&prefix=', undefined, {
      cookie: '',
      authorization,
    })
    expect([listed.status, listed.body.code]).toEqual([400, 'bad-request'])
  })
})

it('a user who is disabled while a request’s body is on its way changes nothing', async () => {
  const { context, cookie } = world.console
  await world.console.api('POST', '/v1/users', { username: 'slow', password, role: 'admin' })
  const signedIn = cookieOf(
    await world.console.api('POST', '/v1/session', { username: 'slow', password }, { cookie: '' }),
  )
  const elevated = cookieOf(
    await world.console.api('POST', '/v1/session/elevation', { password }, { cookie: signedIn }),
  )
  const text = JSON.stringify({ username: 'backdoor', password, role: 'admin' })
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 10)))
      await pause(300)
      await world.console.api('PUT', '/v1/users/slow', { disabled: true }, { cookie })
      controller.enqueue(new TextEncoder().encode(text.slice(10)))
      controller.close()
    },
  })
  const headers = { origin: testOrigin, 'content-type': 'application/json', cookie: elevated }
  const request = new Request(`${testOrigin}/v1/users`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit)
  expect((await serve(request, context)).status).toBe(401)
  expect(await context.users.find('backdoor')).toBeNull()
})
