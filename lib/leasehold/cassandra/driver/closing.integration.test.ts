/**
 * After closing, nothing keeps a process alive. Each program runs in a process of its own, and has to end by itself.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { testContactPoint, testCredentials, testSession } from '../../test/node-session.ts'
import { FaultProxy } from '../../testing/index.ts'
import { connect } from '../session/connect.ts'
import { Programs } from './test-program.ts'

let programs: Programs
let proxy: FaultProxy
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const credentials = () => testCredentials()

beforeAll(() => {
  programs = new Programs()
})
afterAll(() => programs?.remove())
beforeEach(async () => {
  const [host = '', port = ''] = testContactPoint().split(':')
  proxy = await FaultProxy.listen(host, Number(port))
})
afterEach(() => proxy?.close())

const options = (more: object = {}) =>
  JSON.stringify({
    contactPoints: [proxy.contactPoint],
    localDataCenter: 'datacenter1',
    keyspace: 'system',
    ...credentials(),
    ...more,
  })

/** Repeats a query until it is answered. */
const recover = `
  for (;;) {
    try { await session.client.execute('SELECT key FROM system.local'); break } catch { await pause(50) }
  }`

it('ends after a connection broke, once or again and again', async () => {
  const program = programs.start(`
    const session = await connected(${options()})
    console.log('connected')
    await told()
    ${recover}
    await session.close()
    console.log('closed')`)
  await program.printed('connected')
  for (let breaks = 0; breaks < 3; breaks++) {
    proxy.refuse()
    await pause(1_500)
    proxy.restore()
    await pause(1_500)
  }
  program.tell()
  expect(await program.ended(8_000)).toMatchObject({ code: 0, stderr: '' })
})

it('ends when it is closed while its connection is broken', async () => {
  const program = programs.start(`
    const session = await connected(${options()})
    console.log('connected')
    await told()
    await session.close()
    console.log('closed')`)
  await program.printed('connected')
  proxy.refuse()
  await pause(700)
  program.tell()
  const { code, stderr, afterClosedMs } = await program.ended(8_000)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(afterClosedMs).toBeLessThan(4_000)
})

it.each([
  ['holds every answer', ''],
  [
    'holds the answer to a write that is under way',
    `session.client.execute('SELECT key FROM system.local').catch(() => {});`,
  ],
])('closes within two seconds while Cassandra %s, and ends', async (_what, before) => {
  const program = programs.start(`
    const session = await connected(${options()})
    console.log('connected')
    await told()
    ${before}
    await pause(100)
    const begun = performance.now()
    await session.close()
    // On a busy machine too; a write that is waited for takes 20 s.
    console.log(performance.now() - begun < 6_000 ? 'in time' : 'late')
    console.log('closed')`)
  await program.printed('connected')
  proxy.holdAnswers()
  program.tell()
  await program.printed('in time')
  const { code, stderr, afterClosedMs } = await program.ended(8_000)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(afterClosedMs).toBeLessThan(4_000)
})

it('ends when Cassandra falls silent after a break, while connections are being opened', async () => {
  const program = programs.start(`
    const session = await connected(${options()})
    console.log('connected')
    await told()
    await session.close()
    console.log('closed')`)
  await program.printed('connected')
  proxy.cut()
  proxy.holdAnswers()
  await pause(2_500)
  program.tell()
  const { code, stderr, afterClosedMs } = await program.ended(8_000)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(afterClosedMs).toBeLessThan(4_000)
})

it('leaves neither connection open when the cluster’s facts cannot be read', async () => {
  proxy.holdAfter('SELECT cluster_name')
  const program = programs.start(`
    const { username, password, ...rest } = ${options()}
    const reader = username === undefined ? undefined : { username, password }
    await connect({ ...rest, username, password, reader: reader ?? { username: 'x', password: 'x' } }).catch((error) => console.log(error.code))
    console.log('closed')`)
  await program.printed('store-unavailable')
  const { code, stderr } = await program.ended(8_000)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

it("leaves a client of the caller's open, and ends once its owner has shut it down", async () => {
  const program = programs.start(`
    const { username, password, contactPoints, localDataCenter } = ${options()}
    const settings = { contactPoints, localDataCenter }
    if (username) settings.credentials = { username, password }
    const client = new cassandra.Client(settings)
    const session = await connect({ client, keyspace: 'system' })
    await session.close()
    await client.execute('SELECT key FROM system.local')
    await client.shutdown()
    console.log('closed')`)
  expect(await program.ended(8_000)).toMatchObject({ code: 0, stderr: '' })
})

it('throws ClosedError after closing, which no retry removes', async () => {
  const session = await testSession('closing_test')
  const { store } = session
  await session.close()
  await session.close()
  const closed = { code: 'closed', retryable: false, message: 'This session is closed. Connect again.' }
  await expect(store.read('x')).rejects.toMatchObject(closed)
  await expect(store.release({ name: 'x', owner: 'o' })).rejects.toMatchObject(closed)
  await expect(connect({ client: session.client, keyspace: 'system' })).rejects.toMatchObject(closed)
})
