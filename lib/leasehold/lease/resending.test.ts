/** A caller whose decision grows old: a lost answer is then not followed by another send, and the outcome is unknown. */
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore, type StatementKind } from '../testing/index.ts'
import { LeaseProtocol, type Tenure } from './index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
/** The writes that were sent, in order. */
let sent: StatementKind[]

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  leases = new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, defaultTtlSeconds: 3_600 })
  sent = []
})

async function acquired(): Promise<Tenure> {
  const outcome = await clock.run(leases.tryAcquire('job'))
  if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
  return outcome.tenure
}

/** From now on the first answer to a write is lost; `stopped`: and the process is then stopped for that long. */
function loseFirst({ applied = false, stoppedMs = 0 } = {}): void {
  store.fault = (kind) => {
    if (kind === 'read') return undefined
    sent.push(kind)
    if (sent.length > 1) return undefined
    clock.suspend(stoppedMs)
    return { kind: 'lost', applied, finality: 'never' }
  }
}

const unknown = { code: 'outcome-unknown', message: expect.stringMatching(/too late to send/) }

describe.each([true, false])('of a statement whose answer was lost (applied: %s)', (applied) => {
  it('a release is sent once', async () => {
    const tenure = await acquired()
    loseFirst({ applied })
    const released = leases.release(tenure, { mayResend: () => false })
    await expect(clock.run(released)).rejects.toMatchObject(unknown)
    expect(sent).toEqual(['release'])
  })

  it('a renewal is sent once', async () => {
    const tenure = await acquired()
    loseFirst({ applied })
    const renewed = leases.renew(tenure, { value: 'new', mayResend: () => false })
    await expect(clock.run(renewed)).rejects.toMatchObject(unknown)
    expect(sent).toEqual(['renew'])
  })
})

it('an acquisition is not sent again', async () => {
  loseFirst()
  const tried = leases.tryAcquire('job', { owner: 'mine', ownerIsUnique: true, mayResend: () => false })
  await expect(clock.run(tried)).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(sent).toEqual(['acquire'])
})

it('an acquisition that was found out late is not renewed, and not handed out', async () => {
  loseFirst({ applied: true })
  const tried = leases.tryAcquire('job', { owner: 'mine', ownerIsUnique: true, mayResend: () => false })
  await expect(clock.run(tried)).rejects.toMatchObject({
    code: 'outcome-unknown',
    message: expect.stringMatching(/too late to renew/),
  })
  expect(sent).toEqual(['acquire'])
})

it('the caller is asked after the pause, in which the process may have been stopped', async () => {
  const tenure = await acquired()
  loseFirst()
  let isOver = false
  const released = leases.release(tenure, { mayResend: () => !isOver })
  clock.after(1, () => {
    isOver = true
  })
  await expect(clock.run(released)).rejects.toMatchObject(unknown)
  expect(sent).toEqual(['release'])
})

it('the holder’s own release is sent again, however long the process was stopped', async () => {
  const tenure = await acquired()
  loseFirst({ stoppedMs: 600_000 })
  expect(await clock.run(leases.release(tenure))).toEqual({ kind: 'released', certain: true })
  expect(sent).toEqual(['release', 'release'])
})
