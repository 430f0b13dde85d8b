/** An act whose decision grew old while its intent was written. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../contract/audit.ts'
import { type ActSends, ActWindow, actAfterPermitMs } from '../http/act-window.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { serverActor } from './actor.ts'
import type { AuditLog } from './audit-entry.ts'
import { audited } from './audited.ts'

let clock: FakeClock
let written: AuditEvent[]
let acts: number
/** What happens while the intent is written. */
let meanwhile: () => unknown

beforeEach(() => {
  clock = new FakeClock()
  written = []
  acts = 0
  meanwhile = () => {}
})

type Work = (sends: ActSends) => Promise<{ after: null; result: string }>

function act(window = new ActWindow(clock), done: Work = async () => ({ after: null, result: 'done' })) {
  const append = async (event: AuditEvent) => {
    written.push(event)
    if (event.phase === 'intent') await meanwhile()
  }
  const audit = { append, appendUntilWritten: append } as unknown as AuditLog
  const about = { act: 'set-up', actor: serverActor, on: { kind: 'console' } } as const
  return audited(audit, window, about, async (sends) => {
    acts++
    return done(sends)
  })
}
const entries = () => written.map(({ phase, outcome }) => [phase, outcome])

describe.each([
  ['by both clocks: the process was stopped', (ms: number) => clock.advance(ms)],
  ['by the wall clock alone: the machine was suspended', async (ms: number) => clock.suspend(ms)],
])('an act that is late %s', (_how, pass) => {
  it('is not sent, and the log says so', async () => {
    meanwhile = () => pass(actAfterPermitMs + 1)
    await expect(act()).rejects.toMatchObject({
      code: 'too-late',
      message: expect.stringMatching(/^Nothing was done/),
    })
    expect(acts).toBe(0)
    expect(entries()).toEqual([
      ['intent', null],
      ['outcome', 'too-late'],
    ])
    expect(written.at(-1)?.after).toEqual({ problem: 'too-late' })
  })

  it('counts from the permission, and not from the intent', async () => {
    const window = new ActWindow(clock)
    await pass(actAfterPermitMs - 1_000)
    meanwhile = () => pass(2_000)
    await expect(act(window)).rejects.toMatchObject({ code: 'too-late' })
    expect(acts).toBe(0)
  })

  it('is sent up to the end of its time', async () => {
    meanwhile = () => pass(actAfterPermitMs)
    expect(await act()).toBe('done')
    expect(entries().at(-1)).toEqual(['outcome', 'ok'])
  })
})

it('an act that is refused after a long time was refused, and not late', async () => {
  const refuse = async () => {
    clock.suspend(actAfterPermitMs + 1)
    throw new HttpProblem('last-admin', 'It is the last one.')
  }
  await expect(act(new ActWindow(clock), refuse)).rejects.toMatchObject({ code: 'last-admin' })
  expect(entries().at(-1)).toEqual(['outcome', 'refused'])
})

describe('an act whose process is stopped between its intent and one of its statements', () => {
  const stop = () => clock.suspend(actAfterPermitMs + 1)

  it('was too late, if that was its first statement', async () => {
    const work: Work = async ({ beforeSend }) => {
      stop()
      beforeSend()
      return { after: null, result: 'sent' }
    }
    await expect(act(new ActWindow(clock), work)).rejects.toMatchObject({ code: 'too-late' })
    expect(entries().at(-1)).toEqual(['outcome', 'too-late'])
  })

  it('has an unknown outcome, if a statement of it was sent: its intent stays open', async () => {
    const work: Work = async ({ beforeSend }) => {
      beforeSend()
      stop()
      beforeSend()
      return { after: null, result: 'sent' }
    }
    await expect(act(new ActWindow(clock), work)).rejects.toMatchObject({ code: 'statement-unknown' })
    expect(entries()).toEqual([['intent', null]])
  })
})

it('the result of an act waits for the entry of its outcome where that is asked for, and no longer than that', async () => {
  let write = () => {}
  const outcome = new Promise<void>((resolve) => {
    write = resolve
  })
  const audit = { append: async () => {}, appendUntilWritten: () => outcome } as unknown as AuditLog
  const about = { act: 'set-up', actor: serverActor, on: { kind: 'console' } } as const
  const ended: string[] = []
  const acting = (name: string, entryWithin?: Promise<unknown>) =>
    audited(audit, new ActWindow(clock), about, async () => ({
      after: null,
      result: name,
      entryWithin,
    })).then((result) => ended.push(result))
  const never = new Promise(() => {})
  const acts = [acting('at once'), acting('in two seconds', clock.sleep(2_000)), acting('written', never)]
  await clock.advance(1_999)
  expect(ended).toEqual(['at once'])
  await clock.advance(1)
  expect(ended).toEqual(['at once', 'in two seconds'])
  write()
  await Promise.all(acts)
})
