import { describe, expect, it } from 'vitest'
import type { AuditEvent, ShownEntry } from '../../../lib/contract/audit.ts'
import {
  type Act,
  actsOf,
  begunEarlier,
  hasPart,
  isWhole,
  joined,
  partKey,
  requesterOf,
  restOf,
} from './act-of.ts'

const event = (id: string, act: AuditEvent['act'], phase: AuditEvent['phase']) =>
  ({ id, act, phase }) as AuditEvent
const entry = (seq: number, id: string, act: AuditEvent['act'], phase: AuditEvent['phase']) =>
  ({ ...event(id, act, phase), bucket: '2026-11-21', seq }) as ShownEntry

const plan = entry(1, 'p', 'release-plan', 'event')
const intent = entry(3, 'p', 'release', 'intent')
const outcome = entry(5, 'p', 'release', 'outcome')
const between = entry(4, 's', 'sign-in', 'event')

const shown = (acts: ReturnType<typeof actsOf>) =>
  acts.map((act) => act.map(({ event }) => `${event.act} ${event.phase}`))

it('a release that a second person approved names the person who asked for it', () => {
  const by = (username: string, act: AuditEvent['act'], plannedBy = 'ann') =>
    requesterOf({ act, actor: { username }, before: { plannedBy } } as AuditEvent)
  expect(by('deputy', 'release')).toBe('ann')
  expect(by('ann', 'release')).toBeNull()
  // What was asked for is the release, and not its approval.
  expect(by('deputy', 'approval')).toBeNull()
  expect(requesterOf({ act: 'release', actor: { username: 'ann' }, before: null } as AuditEvent)).toBeNull()
})

describe('the acts of a page of entries', () => {
  it('intent, outcome and plan of one act are one row, in the place of the newest', () => {
    expect(shown(actsOf([], [outcome, between, intent, plan]))).toEqual([
      ['release outcome', 'release intent', 'release-plan event'],
      ['sign-in event'],
    ])
  })

  it('an outcome that is not written yet stands above its intent, once', () => {
    const pending = event('p', 'release', 'outcome')
    expect(shown(actsOf([pending], [intent]))).toEqual([['release outcome', 'release intent']])
    const [act] = actsOf([pending], [outcome, intent])
    expect(act?.map((part) => part.entry?.seq)).toEqual([5, 3])
  })

  it('an act that was opened while its outcome was not written yet stays open once it is', () => {
    const [pending] = actsOf([event('p', 'release', 'outcome')], [intent]) as [Act]
    const open = partKey(pending[0])
    const [written, other] = actsOf([], [outcome, between, intent]) as [Act, Act]
    expect([pending, written, other].map((act) => hasPart(act, open))).toEqual([true, true, false])
    expect(hasPart(written, undefined)).toBe(false)
  })

  it('an act whose outcome is the last entry of a page is not begun again on the next page', () => {
    const first = actsOf([], [between, outcome])
    expect(begunEarlier(first)).toEqual(['p'])
    expect(shown(actsOf([], [intent, plan], new Set(begunEarlier(first))))).toEqual([])
    expect(begunEarlier(actsOf([], [outcome, intent]))).toEqual([])
  })

  it('an approval is an act of its own, and needs no plan beside it; one of an earlier version is of its release', () => {
    const approval = [entry(7, 'a', 'approval', 'outcome'), entry(6, 'a', 'approval', 'intent')]
    expect(actsOf([], approval).map(isWhole)).toEqual([true])
    expect(actsOf([], [entry(6, 'p', 'approval', 'event')]).map(isWhole)).toEqual([false])
  })

  it('says what is missing: the plan of a release, the other half of an act', () => {
    const [whole, half, single] = [[outcome, intent, plan], [outcome, intent], [between]].map(
      (entries) => actsOf([], entries)[0],
    )
    expect([whole, half, single].map((act) => act && isWhole(act))).toEqual([true, false, true])
    const [other] = actsOf([], [entry(2, 'u', 'user-create', 'intent')])
    expect(other && isWhole(other)).toBe(false)
  })

  it('what was looked up takes its place among what the page has', () => {
    const [act] = actsOf([], [outcome])
    expect(act && shown([joined(act, [outcome, intent, plan])])).toEqual([
      ['release outcome', 'release intent', 'release-plan event'],
    ])
    const later = { ...outcome, bucket: '2026-11-21#2', seq: 1 }
    const [begun] = actsOf([], [intent])
    expect(begun && joined(begun, [later]).map((part) => part.entry?.seq)).toEqual([1, 3])
  })
})

describe('the query for the rest of an act', () => {
  const nowMs = Date.parse('2026-11-21T14:00:00.000Z')

  it('stays the same from one drawing to the next, although nothing of the act is written: each other query is another request', () => {
    const [act] = actsOf([event('p', 'release', 'outcome')], []) as [Act]
    expect(restOf(act, nowMs + 1)).toEqual(restOf(act, nowMs))
    expect(restOf(act, nowMs)).toEqual({
      id: 'p',
      chain: 'main',
      from: '2026-11-20T00:00:00.000Z',
      to: undefined,
    })
  })

  it('stays the same too where the clock of the browser is behind the clock of the server', () => {
    const at = '2026-11-21T14:05:00.000Z'
    const [act] = actsOf([], [{ ...intent, chain: 'main', at }]) as [Act]
    expect(restOf(act, nowMs + 1)).toEqual(restOf(act, nowMs))
    expect(restOf(act, nowMs).from).toBe('2026-11-20T14:05:00.000Z')
  })
})
