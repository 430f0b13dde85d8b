import { describe, expect, it } from 'vitest'
import { mayActUntilMs, tenureEnd } from './tenure-end.ts'
import { epochMs } from './test-lease.ts'

const ends = epochMs + 20_000

describe('how a tenure ended', () => {
  it('a row that was gone before its expiry was released early, however long ago it was seen', () => {
    expect(tenureEnd({ expiresAtMs: ends, goneAtMs: ends - 1, unseenForMs: 1_000 })).toBe('early')
    expect(tenureEnd({ expiresAtMs: ends, goneAtMs: ends - 1, unseenForMs: 60_000 })).toBe('early')
    expect(tenureEnd({ expiresAtMs: ends, goneAtMs: ends - 1, unseenForMs: null })).toBe('early')
  })

  it('one that was gone after its expiry expired, if it was watched until then', () => {
    expect(tenureEnd({ expiresAtMs: ends, goneAtMs: ends, unseenForMs: 5_000 })).toBe('expired')
  })

  it('after a longer pause between two reads it may have been renewed and released: its end was not seen', () => {
    expect(tenureEnd({ expiresAtMs: ends, goneAtMs: ends + 10_000, unseenForMs: 5_001 })).toBe('unseen')
    expect(tenureEnd({ expiresAtMs: ends, goneAtMs: ends, unseenForMs: null })).toBe('unseen')
  })

  it('a row without an expiry was deleted, unless it may have got one while it was not read', () => {
    expect(tenureEnd({ expiresAtMs: null, goneAtMs: epochMs, unseenForMs: 1_000 })).toBe('early')
    expect(tenureEnd({ expiresAtMs: null, goneAtMs: epochMs, unseenForMs: 60_000 })).toBe('unseen')
  })
})

it('a holder whose row another program deleted may act for its whole TTL, and as long as a write contends', () => {
  expect(mayActUntilMs(epochMs, 30)).toBe(epochMs + 36_000)
  expect(mayActUntilMs(epochMs, null)).toBeNull()
})
