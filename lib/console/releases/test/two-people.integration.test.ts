/** Releases in which two people have a part: on a real Cassandra. */
import { StatementProxy } from 'leasehold/testing'
import { describe, expect, it } from 'vitest'
import { releaseSchema } from '../../../contract/releases/release.ts'
import { harmless } from '../../../leasehold/test/patient-sessions.ts'
import { type Answer, testConsole } from '../../test/test-console.ts'
import { noReport } from '../release-record.ts'
import { actBy, approveBy, type Person, planBy, Releasing, sendAct } from './test-releasing.ts'

const world = new Releasing()

describe('two people', () => {
  it('act on one lease at the same time: one releases it, the other gets the release of the first', async () => {
    const [first, second] = [await world.person('op-1', 'operator'), await world.person('op-2', 'operator')]
    let told = 0
    for (let round = 0; round < 20; round++) {
      const name = `both/${round}`
      await world.acquire(name, 'holder')
      const plans = await Promise.all([planBy(first, name), planBy(second, name)])
      const answers = await Promise.all([
        actBy(first, name, plans[0].plan, 'break'),
        actBy(second, name, plans[1].plan, 'break'),
      ])
      const winner = answers.findIndex(({ body }) => body.outcome === 'broken')
      const [won, lost] = [answers[winner], answers[1 - winner]] as [Answer, Answer]
      expect(won?.status).toBe(200)
      // The machine was too slow for an answer that says which release came before.
      if (lost.body.outcome === 'holder-changed') continue
      expect([lost.status, lost.body.code]).toEqual([409, 'holder-changed'])
      expect(lost.body.release).toMatchObject({
        id: won.body.id,
        plannedBy: `op-${winner + 1}`,
        mode: 'break',
      })
      told++
    }
    expect(told, 'rounds in which the answer says which release came before').toBeGreaterThan(0)
  })

  it('act on one plan: only its maker can use it, once; the second act gets the release of the first', async () => {
    const [first, second] = [await world.person('op-3', 'operator'), await world.person('op-4', 'operator')]
    await world.acquire('one-plan', 'holder')
    const made = await planBy(first, 'one-plan')
    expect((await actBy(second, 'one-plan', made.plan, 'break')).body.code).toBe('plan-invalid')
    const answers = await Promise.all([1, 2, 3].map(() => actBy(first, 'one-plan', made.plan, 'break')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.filter(({ body }) => body.code === 'plan-used')).toHaveLength(2)
    const late = await actBy(second, 'one-plan', made.plan, 'break')
    expect(late.body).toMatchObject({ code: 'plan-used', release: { outcome: 'broken', plannedBy: 'op-3' } })
    // Every operator can read the release at its permalink.
    expect((await second('GET', `/v1/releases/${made.id}`)).body).toMatchObject({
      outcome: 'broken',
      plannedBy: 'op-3',
      reason: 'INC-1',
    })
  })
})

describe('a name that two people release', () => {
  const asked = async (name: string, by: Person, mode = 'break') => {
    await world.acquire(name, 'holder')
    const made = await planBy(by, name)
    expect(made.secondPerson).toBe(true)
    const answer = await actBy(by, name, made.plan, mode)
    expect([answer.status, answer.body.outcome]).toEqual([202, 'awaiting-approval'])
    return made.id as string
  }

  it('waits for another operator: the person who asked cannot approve', async () => {
    const [first, second] = [await world.person('op-5', 'operator'), await world.person('op-6', 'operator')]
    const lowly = await world.person('op-7', 'operator', { elevated: false })
    const id = await asked('two/a', first)
    expect(await world.ownerOf('two/a')).toBe('holder')
    const waiting = (await second('GET', '/v1/releases')).body.releases
    expect(waiting.map((release: { id: string }) => release.id)).toContain(id)
    expect((await first('POST', `/v1/releases/${id}/approval`)).body.code).toBe('forbidden')
    expect((await lowly('POST', `/v1/releases/${id}/approval`)).body.code).toBe('elevation-needed')
    const [one, two] = await Promise.all([approveBy(second, id), approveBy(world.console.api, id)])
    expect([one.status, two.status].sort()).toEqual([200, 409])
    const done = one.status === 200 ? one.body : two.body
    expect(releaseSchema.parse(done)).toMatchObject({
      outcome: 'broken',
      plannedBy: 'op-5',
      approval: { by: one.status === 200 ? 'op-6' : 'admin' },
    })
    expect(await world.ownerOf('two/a')).toBe(`!quarantine:${id}`)
    expect((await first('GET', '/v1/releases')).body.releases).not.toContainEqual(
      expect.objectContaining({ id }),
    )
    // The outcome is written behind the answer.
    await expect
      .poll(() => world.entriesOf('two/a'))
      .toContainEqual([done.approval.by, 'release', 'outcome', 'broken'])
    const outcomesOf = async (wanted: string) =>
      (await world.entriesOf('two/a')).flatMap(([username, act, , outcome]) =>
        act === wanted && outcome !== null ? [[username, outcome]] : [],
      )
    expect(await outcomesOf('release-request')).toEqual([['op-5', 'ok']])
    const other = done.approval.by === 'op-6' ? 'admin' : 'op-6'
    await expect
      .poll(async () => (await outcomesOf('approval')).sort())
      .toEqual(
        [
          [done.approval.by, 'ok'],
          [other, 'refused'],
        ].sort(),
      )
  })

  it('can be rejected, or taken back, and then releases nothing', async () => {
    const [first, second] = [await world.person('op-8', 'operator'), await world.person('op-9', 'operator')]
    const id = await asked('two/b', first)
    const rejected = await second('POST', `/v1/releases/${id}/rejection`, { reason: 'It is the leader.' })
    expect(rejected.body).toMatchObject({
      outcome: 'rejected',
      approval: { by: 'op-9', reason: 'It is the leader.' },
    })
    expect((await second('POST', `/v1/releases/${id}/approval`)).body).toMatchObject({
      code: 'not-awaiting',
      release: { outcome: 'rejected' },
    })
    expect(await world.ownerOf('two/b')).toBe('holder')
    const back = await asked('two/c', first)
    expect((await first('POST', `/v1/releases/${back}/rejection`, { reason: 'Mistaken.' })).status).toBe(200)
  })

  it('is not approved once the person who asked is disabled', async () => {
    const [first, second] = [await world.person('op-10', 'operator'), await world.person('op-11', 'operator')]
    const id = await asked('two/d', first)
    await world.console.api('PUT', '/v1/users/op-10', { disabled: true })
    expect((await second('POST', `/v1/releases/${id}/approval`)).body.code).toBe('forbidden')
    expect(await world.ownerOf('two/d')).toBe('holder')
  })
})

it('a release has one outcome: the one that another instance has written before stays', async () => {
  const [host = '', port = ''] = (process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '').split(':')
  const proxy = await StatementProxy.listen(host, Number(port), {
    fault: ({ cql, values }) =>
      cql.startsWith('DELETE') && values.some((value) => value?.toString() === 'held-up')
        ? { kind: 'hold-answer', ms: 10_000 }
        : undefined,
  })
  harmless(proxy.contactPoint)
  const other = await testConsole(world.keyspace, { CASSANDRA_CONTACT_POINTS: proxy.contactPoint })
  try {
    await world.acquire('two-outcomes', 'held-up')
    const made = await planBy(other.api, 'two-outcomes')
    const answered = sendAct(other.api, 'two-outcomes', made.plan, 'kill')
    await expect.poll(() => other.context.releases.isRunning(made.id)).toBe(true)
    await world.console.context.releases.settle(made.id, { ...noReport, outcome: 'superseded' })
    const answer = await answered
    expect([answer.status, answer.body.outcome]).toEqual([202, 'pending'])
    await expect.poll(() => other.context.releases.isRunning(made.id)).toBe(false)
    expect((await other.api('GET', `/v1/releases/${made.id}`)).body.outcome).toBe('superseded')
    expect((await world.entriesOf('two-outcomes')).filter(([, , phase]) => phase === 'outcome')).toEqual([])
  } finally {
    await other.context.session.close()
    await proxy.close()
  }
})
