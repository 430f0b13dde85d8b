import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { serverNow } from '../../lib/client/call/call.ts'
import { testLease } from '../../lib/client/row/test-lease.ts'
import { pageNow } from '../../lib/client/time/page-clock.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import { quarantineOwner } from '../../lib/contract/leases/quarantine.ts'
import type { LeaseRelease } from '../../lib/contract/releases/lease-release.ts'
import { FreeSentence } from './free-sentence.tsx'
import type { LeaseMemory } from './memory/use-lease-memory.ts'

const nowMs = Math.round(serverNow(pageNow()))
const at = (seconds: number) => new Date(nowMs + seconds * 1000).toISOString()
const holder = (over: Partial<Lease> = {}) =>
  testLease({ owner: 'svc-a', writtenAt: at(-12), expiresAt: at(18), ttlSeconds: 30, ...over })
const release = (over: Partial<LeaseRelease>): LeaseRelease => ({
  id: 'release-1',
  mode: 'kill',
  outcome: 'released',
  owner: 'svc-a',
  by: 'ann',
  approvedBy: null,
  reason: null,
  requestedAt: at(-9),
  doneAt: at(-8),
  safeAt: at(28),
  ...over,
})
const ask = release({ mode: 'ask', outcome: 'asked', safeAt: null })

interface Seen {
  /** Seconds from now, as all times here. */
  freeAt?: number
  lastSeenAt?: number | null
  was?: Lease | null
  shown?: LeaseRelease[]
  acting?: LeaseRelease
}
function said({ freeAt = -1, lastSeenAt = -2, was = holder(), shown = [], acting }: Seen): string {
  const memory: LeaseMemory = { shown, hasOlder: false, isKnown: true, acting }
  const sentence = createElement(FreeSentence, {
    reading: { held: false, readAtMs: freeAt * 1000, now: at(freeAt) },
    was,
    lastSeenAtMs: lastSeenAt === null ? null : lastSeenAt * 1000,
    memory,
    still: null,
  })
  return renderToStaticMarkup(sentence)
    .replace(/<time dateTime="([^"]*)">/g, '$1 = ')
    .replace(/<[^>]*>/g, '')
}
const early = 'Released early, by its holder or a program that named it.'
const mayAct =
  /If another program released it, the old holder may still act until .* UTC.*, its latest deadline\./

describe('of a lease that became free', () => {
  it('says that it was released early, and until when its holder may act if another program did that', () => {
    expect(said({})).toContain(early)
    expect(said({})).toMatch(mayAct)
    // Its TTL of 30 s and 6 s of contention after the first read that found it free.
    expect(said({})).toContain(`until ${at(35)} = `)
  })

  it('says so after a request to resign too: another program may have released it then', () => {
    expect(said({ shown: [ask] })).toContain(early)
    expect(said({ shown: [ask] })).toMatch(mayAct)
  })

  it('says so after the release of a holder before: that explains nothing of this end', () => {
    const broken = release({ mode: 'break', outcome: 'broken', owner: 'svc-b', safeAt: at(-120) })
    const kill = release({ requestedAt: at(-121), doneAt: at(-120), safeAt: at(-60) })
    for (const before of [broken, kill]) expect(said({ shown: [before] })).toMatch(mayAct)
  })

  it('says nothing of it where a kill or a break is known to have ended it', () => {
    for (const how of [
      release({ safeAt: at(-1) }),
      release({ mode: 'break', outcome: 'broken', safeAt: at(-2) }),
    ])
      expect(said({ shown: [how] })).not.toMatch(/early|expired|another program/)
  })

  it('says that it expired only if the lease was read until then', () => {
    const was = holder({ expiresAt: at(-2) })
    expect(said({ was, lastSeenAt: -3 })).toContain('It expired without a renewal.')
    for (const lastSeenAt of [-60, null]) {
      const text = said({ was, lastSeenAt })
      expect(text).not.toContain('expired')
      expect(text).toContain('How it ended was not seen.')
      expect(text).toMatch(mayAct)
    }
  })

  it('says no more until when the holder may act once that is past', () => {
    const text = said({ freeAt: -40 })
    expect(text).toContain(early)
    expect(text).not.toContain('may still act')
  })

  it('says that a holder without an expiry has no deadline', () => {
    expect(said({ was: holder({ expiresAt: null, ttlSeconds: null }) })).toMatch(
      /may still act: the lease had no expiry, so its holder has no deadline/,
    )
  })

  it('warns of the last holder beside an earlier one that was killed', () => {
    const kill = release({ owner: 'svc-b', doneAt: at(-20) })
    const text = said({ shown: [kill], acting: kill })
    expect(text).toContain('The old holder may still act.')
    expect(text).toMatch(/svc-a held the lease last\./)
    expect(text).toMatch(mayAct)
    const own = release({})
    expect(said({ shown: [own], acting: own })).not.toContain('held the lease last')
  })

  it('warns where the mark of a break was deleted before the quarantine was over', () => {
    const mark = holder({ owner: quarantineOwner('release-1'), state: 'quarantined' })
    expect(said({ was: mark })).toMatch(/The old holder may still act\..*must have stopped by .* UTC/)
    expect(said({ was: mark })).not.toContain('can acquire the lease now')
    expect(said({ was: { ...mark, expiresAt: at(-2) } })).toContain('can acquire the lease now')
  })
})
