import { Operator } from 'leasehold/operator'
import { FaultProxy } from 'leasehold/testing'
import { contentionLimitMs } from 'leasehold/time'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeSegment } from '../../../contract/path.ts'
import { releasePlanSchema, releaseSchema } from '../../../contract/releases/release.ts'
import { testSession, testVariant } from '../../../leasehold/test/node-session.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { type Answer, settledRelease, type TestConsole, testConsole } from '../../test/test-console.ts'

const contactPoint = (process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '').split(':') as [string, string]
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
let console: TestConsole

beforeAll(async () => {
  console = await testConsole('release_test')
})
afterAll(() => console?.context.session.close())

const path = (name: string, rest = '') => `/v1/leases/${encodeSegment(name)}${rest}`
const acquire = async (name: string, owner: string, ttlSeconds = 30, by = console) => {
  const answer = await by.api('PUT', `/v1/locks/${encodeSegment(name)}`, { owner, ttlSeconds })
  return answer.status
}
const free = (name: string, owner: string) =>
  console.api('DELETE', `/v1/locks/${encodeSegment(name)}?owner=${owner}`)
const ownerOf = async (name: string) => (await console.api('GET', path(name))).body.owner
const plan = async (name: string, by = console) =>
  (await by.api('POST', path(name, '/release-plan'), {})).body
/** Answered within about 2 s, pending or not. */
const send = (name: string, planId: string, by = console, body = {}): Promise<Answer> =>
  by.api('POST', path(name, '/release'), {
    plan: planId,
    mode: 'kill',
    reason: 'test',
    confirmName: name,
    ...body,
  })
const carryOut = (name: string, planId: string, body = {}): Promise<Answer> =>
  settledRelease(console, send(name, planId, console, body))

describe('kill', () => {
  it('expects a renewal of a holder with the shape of the library alone: at a third of its 298.9 s', async () => {
    await acquire('rhythm', 'host-1:4711:0123456789ab:1', 300)
    const { modes } = releasePlanSchema.parse(await plan('rhythm'))
    expect(modes.kill.usualOverlapMs).toBeGreaterThan(60_000)
    // A read that crosses the edge of a second shows a TTL of 301 s.
    expect(modes.kill.usualOverlapMs).toBeLessThanOrEqual(99_968)
    expect(modes.ask.answerDueMs).toBe(modes.kill.usualOverlapMs)
  })

  it('has the effects that its plan announced', async () => {
    await acquire('plain', 'holder', 30)
    const made = releasePlanSchema.parse(await plan('plain'))
    expect(made.lease).toMatchObject({ name: 'plain', owner: 'holder', read: { level: 'SERIAL' } })
    expect(made.modes.kill).toMatchObject({ allowed: true, needsElevation: false })
    // The whole TTL as it was written, not the rest of it, and for how long a write may contend.
    const contentionMs = contentionLimitMs[testVariant]
    expect(made.modes.kill.overlapMs).toBeGreaterThanOrEqual(29_000 + contentionMs)
    // A write or a read that crosses the edge of a second shows a second more.
    expect(made.modes.kill.overlapMs).toBeLessThanOrEqual(31_000 + contentionMs)
    // Whether such a holder renews at all is not known.
    expect(made.modes).toMatchObject({ kill: { usualOverlapMs: null }, ask: { answerDueMs: null } })
    const done = await carryOut('plain', made.plan)
    expect(done.status).toBe(200)
    expect(releaseSchema.parse(done.body)).toMatchObject({
      outcome: 'released',
      renewedSincePlan: false,
      current: null,
    })
    expect((await console.api('GET', path('plain'))).body.code).toBe('not-held')
    // The same plan again is refused; the refusal says what became of the plan.
    await acquire('plain', 'holder', 30)
    const replayed = await carryOut('plain', made.plan)
    expect([replayed.status, replayed.body.code, replayed.body.release.outcome]).toEqual([
      409,
      'plan-used',
      'released',
    ])
    expect(await ownerOf('plain')).toBe('holder')
    expect((await console.api('GET', `/v1/releases/${made.id}`)).body.outcome).toBe('released')
  })

  it('is refused when the lease has another holder, and shows both', async () => {
    await acquire('changed', 'old')
    const { plan: planId } = await plan('changed')
    await free('changed', 'old')
    const gone = await carryOut('changed', planId)
    expect([gone.body.code ?? gone.body.outcome, gone.body.current]).toEqual(['holder-changed', null])
    const again = await plan('changed')
    expect(again.code).toBe('not-held')
    await acquire('changed', 'old')
    const second = await plan('changed')
    await free('changed', 'old')
    await acquire('changed', 'new')
    const refused = await carryOut('changed', second.plan)
    expect(refused.body.code ?? refused.body.outcome).toBe('holder-changed')
    expect(refused.body).toMatchObject({ planned: { owner: 'old' }, current: { owner: 'new' } })
    expect(await ownerOf('changed')).toBe('new')
  })

  it('binds a plan to its lease, its person and its moment', async () => {
    await acquire('bound', 'holder')
    const { plan: planId } = await plan('bound')
    expect((await carryOut('bound', planId, { confirmName: 'bounds' })).body.code).toBe('name-mismatch')
    expect((await carryOut('bound', planId, { reason: '  ' })).body.code).toBe('bad-request')
    expect((await carryOut('bound', planId, { mode: 'erase' })).body.code).toBe('bad-request')
    expect((await carryOut('bound', planId, { confirmName: undefined })).body.code).toBe('name-mismatch')
    expect((await carryOut('bound', `${planId.slice(0, -2)}xx`)).body.code).toBe('plan-invalid')
    expect((await carryOut('bound', `${planId}.x`)).body.code).toBe('bad-request')
    await acquire('other', 'holder')
    expect((await carryOut('other', planId)).body.code).toBe('plan-invalid')
    expect(await ownerOf('bound')).toBe('holder')
  })

  it('is refused on the server where it is switched off, and on a table that is read-only', async () => {
    const node = await testSession('release_test')
    await node.client.execute(
      'CREATE TABLE IF NOT EXISTS release_test.frozen (name text PRIMARY KEY, owner text, value text)',
    )
    await node.close()
    const tables = { tables: { frozen: { table: 'frozen', value: 'value', readOnly: true } } }
    const closed = await testConsole('release_test', {
      LEASEHOLD_ADMIN_ACTIONS: 'disabled',
      LEASEHOLD_CONFIG: JSON.stringify(tables),
    })
    try {
      await acquire('closed', 'holder')
      const readOnly = await closed.api('POST', path('closed', '/release-plan?table=frozen'), {})
      expect(readOnly.body.code).toBe('read-only')
      const made = (await closed.api('POST', path('closed', '/release-plan'), {})).body
      expect(made.modes.kill).toMatchObject({
        allowed: false,
        reason: expect.stringContaining('LEASEHOLD_ADMIN_ACTIONS'),
      })
      const body = { plan: made.plan, mode: 'kill', reason: 'test', confirmName: 'closed' }
      expect((await closed.api('POST', path('closed', '/release'), body)).body.code).toBe('forbidden')
      expect(await ownerOf('closed')).toBe('holder')
    } finally {
      await closed.context.session.close()
    }
  })

  it('never releases the new holder, in 200 races of release and takeover against the act', async () => {
    const outcomes = new Map<string, number>()
    const { leases } = console.context.tables.get('leases') as LeaseTable
    // How long an act takes on this machine now: the takeover has to fall anywhere within it.
    let actMs = 50
    const race = async (round: number) => {
      const name = `race/${round}`
      // It outlives the minute for which a busy machine may leave an act pending.
      const acquireAs = (owner: string) => leases.tryAcquire(name, { owner, ttlSeconds: 600 })
      await acquireAs('old')
      const { plan: planId } = await plan(name)
      const takeover = async () => {
        await pause(Math.random() * 1.5 * actMs)
        await leases.release({ name, owner: 'old' })
        while ((await acquireAs('new')).kind !== 'acquired');
      }
      const act = async () => {
        const startedMs = performance.now()
        const answer = await carryOut(name, planId)
        actMs = 0.8 * actMs + 0.2 * (performance.now() - startedMs)
        return answer
      }
      const [, acted] = await Promise.all([takeover(), act()])
      const kind = acted.body.outcome ?? acted.body.code
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1)
      expect(await ownerOf(name), `round ${round}: ${kind}`).toBe('new')
    }
    const rounds = Array.from({ length: 200 }, (_, round) => round)
    const workers = Array.from({ length: 4 }, async () => {
      for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) await race(round)
    })
    await Promise.all(workers)
    // A race that always ends the same way tests nothing.
    expect(outcomes.get('released') ?? 0, JSON.stringify([...outcomes])).toBeGreaterThan(5)
    expect(outcomes.get('holder-changed') ?? 0, JSON.stringify([...outcomes])).toBeGreaterThan(5)
  }, 600_000)

  it('still works 40 s later against a holder that goes on renewing, and says that it was renewed', async () => {
    await acquire('renewing', 'holder', 20)
    const made = await plan('renewing')
    // The plan is good for a minute: a busy machine needs the rest of it for the last renewal and the act.
    const end = Date.now() + 40_000
    while (Date.now() < end) {
      await pause(1_900)
      expect(await acquire('renewing', 'holder', 20)).toBe(200)
    }
    const done = await carryOut('renewing', made.plan)
    expect(done.body).toMatchObject({ outcome: 'released', renewedSincePlan: true })
    expect(await acquire('renewing', 'holder', 20), 'the holder has lost it: this is a new acquisition').toBe(
      201,
    )
  })
})

describe('a kill whose answer does not come', () => {
  let proxy: FaultProxy
  let behind: TestConsole
  beforeAll(async () => {
    proxy = await FaultProxy.listen(contactPoint[0], Number(contactPoint[1]))
    behind = await testConsole('release_test', { CASSANDRA_CONTACT_POINTS: proxy.contactPoint })
  })
  afterAll(async () => {
    await behind?.context.session.close()
    await proxy?.close()
  })

  /** Holds answers back from the moment at which the delete is on its way. On a busy machine it may not be sent at all. */
  async function killUnheard(name: string): Promise<Answer> {
    await acquire(name, 'holder', 60)
    for (let tries = 1; ; tries++) {
      const answer = await tryToKillUnheard(name)
      if (answer.body.code !== 'cassandra-unavailable' || tries === 20) return answer
      proxy.deliverAnswers()
    }
  }
  async function tryToKillUnheard(name: string): Promise<Answer> {
    const { plan: planId } = await plan(name, behind)
    const { kill } = Operator.prototype
    Operator.prototype.kill = function (planned, onStep) {
      return kill.call(this, planned, (step) => {
        if (step.step === 'sent') proxy.holdAnswers()
        onStep?.(step)
      })
    }
    try {
      return await send(name, planId, behind)
    } finally {
      Operator.prototype.kill = kill
    }
  }
  async function resolved(id: string): Promise<Answer> {
    for (let tries = 0; tries < 200; tries++) {
      const answer = await behind.api('GET', `/v1/releases/${id}`)
      if (answer.status === 200) return answer
      await pause(100)
    }
    throw new Error('never resolved')
  }

  it('is pending after two seconds, and released when the answer arrives late', async () => {
    const first = await killUnheard('held-back')
    expect(first.status).toBe(202)
    expect(releaseSchema.parse(first.body)).toMatchObject({ outcome: 'pending', finalBy: expect.any(String) })
    proxy.deliverAnswers()
    expect((await resolved(first.body.id)).body).toMatchObject({ outcome: 'released' })
  })

  it('is superseded when the answer is lost for good and the holder is gone', async () => {
    const first = await killUnheard('lost')
    expect(first.status).toBe(202)
    proxy.cut()
    const after = await resolved(first.body.id)
    expect(after.body).toMatchObject({ outcome: 'superseded', current: null })
    expect(after.body.steps.some((step: { ok: boolean }) => !step.ok)).toBe(true)
  })
})
