import { describe, expect, it } from 'vitest'
import { LeaseHeldError, type LeaseView, quarantineMark, StoreUnavailableError } from '../../lease/index.ts'
import { systemClock } from '../../time/index.ts'
import { CliError } from '../process/cli-error.ts'
import { exitCode } from '../process/exit-codes.ts'
import { breakNoteOf, brokenFacts, brokenText, orBroken } from './broken-text.ts'

const mark = quarantineMark('r1')
const note = { was: 'web-3:4711', by: 'ann', at: '2026-01-01T00:00:00.000Z' }
const value = JSON.stringify({ quarantine: note })
const nothing = { by: null, was: null, at: null }

/** A broken lease that is safe in so many milliseconds. */
function broken(leftMs: number | null, more: { owner?: string; value?: string | null } = {}) {
  const at = systemClock.now()
  const serverNowMs = Date.UTC(2026, 0, 1)
  const expiresAtMs = leftMs === null ? null : serverNowMs + leftMs
  return {
    name: 'job',
    owner: mark,
    value,
    expiresAtMs,
    read: { at, serverNowMs, tookMs: 0 },
    ...more,
  } as LeaseView
}

it.each([
  ['as the console writes it', value, note],
  ['that is not there', null, nothing],
  ['of another kind', '{', nothing],
  ['with other texts', '{"quarantine":{"by":1,"was":"","at":"soon"}}', nothing],
  ['that names the operator alone', '{"quarantine":{"by":"ann"}}', { by: 'ann', was: null, at: null }],
])('the note of a break, from a value %s', (_, text, found) => expect(breakNoteOf(text)).toEqual(found))

describe('a broken lease', () => {
  it('names the operator, the holder before, and when it is safe', () => {
    expect(brokenText(broken(894_900))).toMatch(
      /^ann broke the lease "job", which web-3:4711 held\. No process can acquire it until it is safe, at 2026-01-01T00:14:54\.900Z, in 14 min 5\d s\.$/,
    )
    expect(brokenText(broken(9_900, { value: null }))).toMatch(
      /^An operator broke the lease "job"\. No process can acquire it until it is safe, at 2026-01-01T00:00:09\.900Z, in 9\.\d s\.$/,
    )
    expect(brokenText(broken(null))).toMatch(
      /held\. No process can acquire it, because its mark has no expiry\.$/,
    )
  })

  it('has these facts instead of an owner and an expiry', () => {
    expect(brokenFacts(broken(894_900))).toEqual({
      owner: 'none',
      broken: 'by ann, at 2026-01-01T00:00:00.000Z',
      before: 'held by web-3:4711',
      'safe at': expect.stringMatching(
        /^2026-01-01T00:14:54\.900Z, in 14 min 5\d s; no process can acquire it before$/,
      ),
    })
    expect(brokenFacts(broken(9_900, { value: null }))).toMatchObject({
      broken: 'by an operator',
      before: '',
    })
  })

  it('spells out what controls a terminal', () => {
    const view = broken(9_900, {
      value: JSON.stringify({ quarantine: { ...note, by: 'a\x1b[2J', was: 'b\x1b' } }),
    })
    const texts = [brokenText(view), ...Object.values(brokenFacts(view))]
    expect(texts.join('')).not.toContain('\x1b')
  })
})

describe('an error that another owner holds the lease', () => {
  const held = new LeaseHeldError('job', mark)
  it('says that it was broken, where that owner is the mark of a break', async () => {
    const error = await orBroken(held, async () => broken(9_900))
    expect(error).toBeInstanceOf(CliError)
    expect(error).toMatchObject({
      exit: exitCode.held,
      message: expect.stringMatching(/^ann broke the lease "job", which web-3:4711 held\..* --wait/),
    })
  })

  it.each<[string, LeaseHeldError, () => Promise<LeaseView | null>]>([
    ['another owner', new LeaseHeldError('job', 'bob'), async () => broken(9_900)],
    ['a mark that is gone', held, async () => null],
    ['the mark of a later break', held, async () => broken(9_900, { owner: quarantineMark('r2') })],
    ['no read', held, () => Promise.reject(new StoreUnavailableError('x'))],
  ])('stays as it is with %s', async (_, error, read) => {
    expect(await orBroken(error, read)).toBe(error)
  })

  it('shows no mark, even where the row was not read', () => {
    expect(held.message).toBe(
      'The lease "job" has no holder: an operator broke it, and no process can acquire it until its quarantine is over.',
    )
  })
})
