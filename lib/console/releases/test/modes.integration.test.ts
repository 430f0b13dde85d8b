/** What break and ask do, and who may use each mode: on a real Cassandra. */
import { contentionLimitMs } from 'leasehold/time'
import { describe, expect, it } from 'vitest'
import { quarantineOf } from '../../../contract/leases/quarantine.ts'
import { leaseReleasesSchema } from '../../../contract/releases/lease-release.ts'
import { releasePlanSchema, releaseSchema } from '../../../contract/releases/release.ts'
import { testVariant } from '../../../leasehold/test/node-session.ts'
import { settledRelease } from '../../test/test-console.ts'
import { actBy, pathOf, planBy, Releasing } from './test-releasing.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const world = new Releasing()

describe('break', () => {
  it('keeps all owners out until "safe at", the old holder too', async () => {
    const ttlSeconds = 20
    const operator = await world.person('breaker', 'operator')
    // On a busy machine too it is held until the break.
    await world.acquire('broken', 'holder', ttlSeconds)
    const made = releasePlanSchema.parse(await planBy(operator, 'broken'))
    expect(made.modes.break).toMatchObject({ allowed: true, overlapMs: 0 })
    const done = await actBy(operator, 'broken', made.plan, 'break')
    const release = releaseSchema.parse(done.body)
    expect([done.status, release.outcome]).toEqual([200, 'broken'])
    const owner = await world.ownerOf('broken')
    expect(quarantineOf(owner, release.current?.value ?? null)).toMatchObject({
      releaseId: made.id,
      note: { was: 'holder', by: 'breaker' },
    })
    // Until then the old holder is refused, and so is any other owner.
    expect((await world.acquire('broken', 'holder', ttlSeconds)).status).toBe(409)
    expect((await world.acquire('broken', 'next', ttlSeconds)).status).toBe(409)
    const replanned = await planBy(operator, 'broken')
    expect(replanned).toMatchObject({ code: 'not-releasable', release: { outcome: 'broken' } })
    const safeAtMs = Date.parse(release.safeAt ?? '')
    // From when the mark took its place, by its writetime: a busy machine may answer seconds later.
    const markedAtMs = Number(release.current?.version) / 1_000
    expect(safeAtMs - markedAtMs).toBeGreaterThan(ttlSeconds * 1_000)
    expect(safeAtMs - Date.parse(release.now)).toBeLessThanOrEqual((made.modes.break.quarantineMs ?? 0) + 100)
    await pause(safeAtMs - Date.now() + 50)
    expect((await world.acquire('broken', 'next', ttlSeconds)).status).toBe(201)
    await expect
      .poll(() => world.entriesOf('broken'))
      .toEqual([
        ['breaker', 'release', 'outcome', 'broken'],
        ['breaker', 'release', 'intent', null],
        ['breaker', 'release-plan', 'event', 'ok'],
      ])
  })

  it('needs an elevation, an operator and the typed name; kill an admin', async () => {
    const lowly = await world.person('lowly', 'operator', { elevated: false })
    const operator = await world.person('no-admin', 'operator')
    const viewer = await world.person('looks-on', 'viewer', { elevated: false })
    await world.acquire('gated', 'holder')
    expect((await viewer('POST', pathOf('gated', '/release-plan'), {})).status).toBe(403)
    const made = releasePlanSchema.parse(await planBy(lowly, 'gated'))
    expect(made.modes).toMatchObject({
      ask: { allowed: true, needsElevation: false },
      break: { allowed: true, needsElevation: true },
      kill: { allowed: false, reason: expect.stringContaining('Only admins may kill') },
    })
    expect((await actBy(lowly, 'gated', made.plan, 'break')).body.code).toBe('elevation-needed')
    const mine = await planBy(operator, 'gated')
    expect((await actBy(operator, 'gated', mine.plan, 'kill')).body.code).toBe('forbidden')
    expect((await actBy(operator, 'gated', mine.plan, 'break', { confirmName: 'gate' })).body.code).toBe(
      'name-mismatch',
    )
    expect(await world.ownerOf('gated')).toBe('holder')
    // A release that names the owner needs the same rights.
    expect((await operator('DELETE', '/v1/locks/gated?owner=holder')).body.code).toBe('forbidden')
    expect((await lowly('DELETE', '/v1/elections/gated?owner=holder')).body.code).toBe('forbidden')
    expect(await world.ownerOf('gated')).toBe('holder')
    // A person releases what the same person acquired by hand; another operator may not.
    const own = (await lowly('PUT', '/v1/locks/by-hand', { ttlSeconds: 30 })).body
    expect(
      (await operator('DELETE', `/v1/locks/by-hand?owner=${encodeURIComponent(own.owner)}`)).status,
    ).toBe(403)
    expect((await lowly('DELETE', `/v1/locks/by-hand?owner=${encodeURIComponent(own.owner)}`)).status).toBe(
      204,
    )
    const page = { chain: 'refused', username: 'lowly', limit: 10 } as const
    const refusals = async () =>
      (await world.console.context.audit.page(page)).entries.map(({ outcome }) => outcome)
    // A refusal is written behind its answer.
    await expect.poll(refusals).toContain('elevation-needed')
  })

  it('is not offered for a lease that never ends', async () => {
    const operator = await world.person('patient', 'operator')
    const { session } = world.console.context
    await session.client.execute(
      `UPDATE "${session.keyspace}".leases USING TTL 0 SET owner = 'for ever' WHERE name = 'eternal' IF owner = null`,
    )
    const made = await planBy(operator, 'eternal')
    expect(made.modes.break).toMatchObject({ allowed: false, reason: expect.stringContaining('no expiry') })
    expect((await actBy(operator, 'eternal', made.plan, 'break')).body.code).toBe('forbidden')
  })
})

describe('ask', () => {
  it('reaches the holder that was planned, without elevation or typed name', async () => {
    const operator = await world.person('asker', 'operator', { elevated: false })
    await world.acquire('asked', 'holder')
    const made = await planBy(operator, 'asked')
    const body = { plan: made.plan, mode: 'ask', reason: 'It schedules nothing' }
    const done = await settledRelease({ api: operator }, operator('POST', pathOf('asked', '/release'), body))
    expect([done.status, done.body.outcome]).toEqual([200, 'asked'])
    const { requests } = (await world.console.api('GET', '/v1/resign-requests/asked')).body
    expect(requests).toMatchObject([
      { id: made.id, owner: 'holder', requestedBy: 'asker', reason: 'It schedules nothing' },
    ])
    expect(await world.ownerOf('asked')).toBe('holder')
    const of = async (owner: string) =>
      (await world.console.api('GET', `/v1/resign-requests/asked?owner=${owner}`)).body.requests
    expect([await of('holder'), await of('earlier')]).toEqual([requests, []])
  })
})

it('what was done to a lease stands on it, for viewers too, newest first', async () => {
  const admin = await world.person('remembered', 'admin')
  const viewer = await world.person('remembers', 'viewer', { elevated: false })
  await world.acquire('memory', 'holder')
  const asked = await planBy(admin, 'memory')
  await actBy(admin, 'memory', asked.plan, 'ask')
  const killed = await planBy(admin, 'memory')
  expect((await actBy(admin, 'memory', killed.plan, 'kill')).status).toBe(200)
  // A plan that was not carried out leaves no trace.
  await world.acquire('memory', 'next')
  await planBy(admin, 'memory')
  const { body } = await viewer('GET', pathOf('memory', '/releases'))
  const { releases, now } = leaseReleasesSchema.parse(body)
  expect(releases).toMatchObject([
    { id: killed.id, mode: 'kill', outcome: 'released', by: 'remembered', owner: 'holder', reason: 'INC-1' },
    { id: asked.id, mode: 'ask', outcome: 'asked', by: 'remembered', safeAt: null },
  ])
  const leftMs = Date.parse(releases[0]?.safeAt ?? '') - Date.parse(now)
  expect(leftMs).toBeGreaterThan(500_000)
  // A read that crosses the edge of a second shows a second more.
  expect(leftMs).toBeLessThanOrEqual(601_000 + contentionLimitMs[testVariant])
  expect((await viewer('GET', pathOf('other', '/releases'))).body.releases).toEqual([])
})
