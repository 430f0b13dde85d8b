/** A console that is restarted after the writer's role has erased a day of the audit log, and put a revoked row back. */
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import cassandra from 'cassandra-driver'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../../../scripts/test/temporary-folder.mjs'
import { testContactPoint } from '../../../../leasehold/test/node-session.ts'
import { password, type TestConsole, testConsole } from '../../../test/test-console.ts'
import { emptiedKeyspace } from '../../../test/test-keyspace.ts'
import { auditKey } from '../../anchors/audit-key.ts'
import { VersionsFile } from '../../anchors/versions-file.ts'
import { shellOf } from './test-shell.ts'

let keyspace: string
const dataDir = temporaryFolder('leasehold-restarted')
const consoles: TestConsole[] = []
let writer: cassandra.Client
let revoked: string

const start = async (directory: string): Promise<TestConsole> => {
  const started = await testConsole(keyspace, { LEASEHOLD_DATA_DIR: directory })
  consoles.push(started)
  return started
}
const ask = (console_: TestConsole, token: string) =>
  console_.api('GET', '/v1/locks/any', undefined, {
    cookie: '',
    origin: '',
    authorization: `Bearer ${token}`,
  })

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  const before = await start(dataDir)
  const { username, password: secret } = before.context.config.cassandra
  const options: cassandra.ClientOptions = {
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    protocolOptions: { maxVersion: 4 },
    socketOptions: { connectTimeout: 60_000, readTimeout: 60_000 },
  }
  if (username !== undefined) options.credentials = { username, password: secret ?? '' }
  writer = new cassandra.Client(options)
  const { id, token } = (await before.api('POST', '/v1/tokens', { name: 'gone', prefixes: [''] })).body
  const tokens = `"${keyspace}".api_tokens`
  const read = await writer.execute(`SELECT JSON * FROM ${tokens} WHERE id = ?`, [id], { prepare: true })
  expect((await before.api('DELETE', `/v1/tokens/${id}`)).status).toBe(204)
  const { bucket } = (await before.api('GET', '/v1/audit?limit=1')).body.entries[0]
  const { audit } = before.context
  // To end waits 2 s for each of these, and no longer.
  await vi.waitFor(() => expect(audit.pending).toEqual([]), 60_000)
  await audit.close()
  const kept = new VersionsFile(dataDir, keyspace, auditKey(dataDir, before.context.config.auditKey))
  const revocation = expect.objectContaining({ table: 'api_tokens', key: id, version: null })
  await vi.waitFor(() => expect(kept.read()?.rows).toContainEqual(revocation), 60_000)
  await writer.execute(`DELETE FROM "${keyspace}".audit_log WHERE bucket = ?`, [`main:${bucket}`], {
    prepare: true,
  })
  await writer.execute(`INSERT INTO ${tokens} JSON ?`, [read.rows[0]?.['[json]']], { prepare: true })
  revoked = token
})
afterAll(async () => {
  await writer?.shutdown()
  for (const { context } of consoles) await context.session.close()
})

it('refuses the revoked row where it has kept the versions, and goes on with the others', async () => {
  const again = await start(dataDir)
  expect((await ask(again, revoked)).status).toBe(401)
  expect((await again.api('GET', '/readyz')).status).toBe(200)
  // The alarm is shown, and nothing is done that has to be in the log.
  const signedIn = await again.api('POST', '/v1/session', { username: 'admin', password }, { cookie: '' })
  expect([signedIn.status, signedIn.body.code]).toEqual([503, 'audit-unavailable'])
  expect(again.context.audit.alarms).toMatchObject([{ chain: 'main' }])
})

it('admits no user where it has kept no versions, says so, and continues once an operator has restarted the log', async () => {
  // It has the anchors' end of the log from the first console alone.
  const other = temporaryFolder('leasehold-restarted')
  for (const name of readdirSync(dataDir).filter((each) => each.startsWith('audit-anchors')))
    copyFileSync(join(dataDir, name), join(other, name))
  const fresh = await start(other)
  const signIn = () => fresh.api('POST', '/v1/session', { username: 'admin', password }, { cookie: '' })
  const nobody = () => fresh.api('POST', '/v1/session', { username: 'none', password }, { cookie: '' })
  for (const answer of [
    await ask(fresh, revoked),
    await signIn(),
    await nobody(),
    await fresh.api('GET', '/readyz'),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([503, 'not-ready'])
    expect(answer.body.detail).toContain('npm run audit -- restart')
  }
  const begun = await shellOf(fresh, ['restart', '--reason', 'a day was erased'])
  expect([begun.code, begun.err]).toEqual([0, expect.stringContaining('goes on in')])
  await fresh.context.audit.follow()
  expect((await fresh.api('GET', '/readyz')).status).toBe(200)
  expect((await signIn()).status).toBe(200)
  // One that has kept them still knows that the token was revoked, and no start raises the alarm again.
  const again = await start(dataDir)
  expect((await ask(again, revoked)).status).toBe(401)
  expect(again.context.audit.alarms).toEqual([])
})

it('goes on after `restart` too where the end of the log is whole, and its beginning is gone', async () => {
  await writer.execute(`DELETE FROM "${keyspace}".audit_log WHERE bucket = 'main:0000-00-00'`)
  const fresh = await start(temporaryFolder('leasehold-restarted'))
  expect((await fresh.api('GET', '/readyz')).body.code).toBe('not-ready')
  const begun = await shellOf(fresh, ['restart', '--reason', 'the beginning was erased'])
  expect([begun.code, begun.err]).toEqual([0, expect.stringContaining('goes on in')])
  await fresh.context.audit.follow()
  expect((await fresh.api('GET', '/readyz')).status).toBe(200)
  const whole = await shellOf(fresh, ['restart', '--reason', 'once more'])
  expect([whole.code, whole.err]).toEqual([0, expect.stringContaining('nothing was changed')])
})
