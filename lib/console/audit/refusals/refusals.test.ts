import { describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import { serverActor } from '../actor.ts'
import { event, refusal } from '../chain/test-audit.ts'
import { bodies, setUp } from '../chain/test-stored-log.ts'

describe('refusals', () => {
  it('have a chain of their own, and beyond 10 of a stranger’s address are counted', async () => {
    const { store, audit, clock } = setUp()
    for (let i = 0; i < 500; i++) audit.appendUntilWritten(refusal(`${i}`))
    const released = await clock.run(audit.append(event('release')))
    expect(released).toMatchObject({ chain: 'main', seq: 1 })
    await clock.advance(61_000)
    const written = bodies(store, 'refused')
    expect(written).toHaveLength(11)
    expect(written.at(-1)).toMatchObject({
      act: 'flood',
      after: { counted: 490, acts: { 'sign-in': 490 }, addresses: { '10.9.9.9': 490 } },
    })
  })

  it('of strangers, from however many addresses, are at most 60 entries in ten minutes and a count a minute', async () => {
    const { store, audit, clock } = setUp()
    for (let second = 0; second < 600; second++) {
      for (let i = 0; i < 20; i++) {
        const stranger = refusal(`${second}/${i}`)
        const address = `10.${second % 250}.${i}.1`
        audit.appendUntilWritten({ ...stranger, actor: { ...stranger.actor, address } })
      }
      await clock.advance(1_000)
    }
    await clock.advance(61_000)
    const written = bodies(store, 'refused')
    const floods = written.filter(({ act }) => act === 'flood')
    expect(written.length - floods.length).toBe(60)
    expect(floods.length).toBeLessThanOrEqual(11)
    expect(floods.reduce((sum, { after }) => sum + after.counted, 0)).toBe(12_000 - 60)
  })

  it('of one signed-in name do not use up the share of another', async () => {
    const { store, audit, clock } = setUp()
    for (let i = 0; i < 300; i++) {
      audit.appendUntilWritten(event(`${i}`, { act: 'refusal', outcome: 'forbidden' }))
      await clock.advance(100)
    }
    const bea = event('b', { act: 'refusal', outcome: 'forbidden' })
    audit.appendUntilWritten({ ...bea, actor: { ...bea.actor, username: 'bea' } })
    await clock.advance(1_000)
    const ids = bodies(store, 'refused').map(({ id }) => id)
    expect(ids).toContain('b')
    expect(ids).toHaveLength(201)
  })

  it('of people leave room for the server’s own reports, however many there are in a second', async () => {
    const { store, audit, clock } = setUp()
    for (let i = 0; i < 100; i++)
      audit.appendUntilWritten(event(`${i}`, { act: 'refusal', outcome: 'forbidden' }))
    audit.appendUntilWritten(event('forged', { act: 'refusal', outcome: 'refused', actor: serverActor }))
    await clock.advance(1_000)
    expect(bodies(store, 'refused').map(({ id }) => id)).toContain('forged')
  })

  it('of one sender hid how many of its acts without a plan had been refused', async () => {
    const { store, audit, clock } = setUp()
    for (let i = 0; i < 300; i++) {
      audit.appendUntilWritten(event(`${i}`, { act: 'refusal', outcome: 'forbidden' }))
      await clock.advance(100)
    }
    audit.appendUntilWritten(event('of-ann', { act: 'flood', outcome: 'refused', after: { counted: 41 } }))
    await clock.advance(1_000)
    expect(bodies(store, 'refused').map(({ id }) => id)).toContain('of-ann')
  })

  it('are refused events of any act; a refused outcome stays on the chain of its intent', async () => {
    const { audit, clock } = setUp()
    const chainOf = async (changes: Partial<AuditEvent>) =>
      (await clock.run(audit.append(event('1', { outcome: 'refused', ...changes })))).chain
    expect(await chainOf({ act: 'password' })).toBe('refused')
    expect(await chainOf({ act: 'elevation' })).toBe('refused')
    expect(await chainOf({ act: 'refusal', outcome: 'forbidden' })).toBe('refused')
    expect(await chainOf({ act: 'elevation', phase: 'outcome' })).toBe('main')
    expect(await chainOf({ act: 'elevation', outcome: 'ended' })).toBe('main')
  })

  it('that are counted resolve with the count', async () => {
    const { audit, clock } = setUp()
    const all = Array.from({ length: 15 }, (_, i) => audit.append(refusal(`${i}`)))
    await clock.advance(61_000)
    expect((await clock.run(Promise.all(all))).slice(-5).map(({ act }) => act)).toEqual(
      Array(5).fill('flood'),
    )
  })
})
