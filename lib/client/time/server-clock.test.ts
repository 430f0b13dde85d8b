import { expect, it } from 'vitest'
import { readAt, serverTime, withReply, writtenAt } from './server-clock.ts'

const at = (ms: number) => new Date(ms).toISOString()

it('follows the quickest reply of the last minute', () => {
  let clock = withReply(null, at(1_000_000), 50)
  expect(serverTime(clock, 50)).toBe(1_000_000)
  clock = withReply(clock, at(1_001_000), 1250)
  expect(serverTime(clock, 1250)).toBe(1_001_200)
  clock = withReply(clock, at(1_002_000), 2010)
  expect(serverTime(clock, 2010)).toBe(1_002_000)
})

it('forgets after a minute, so that a server clock set back is followed', () => {
  const clock = withReply(withReply(null, at(2_000_000), 0), at(1_000_000), 70_000)
  expect(serverTime(clock, 70_000)).toBe(1_000_000)
})

it('knows when a reply was written better than when it arrived', () => {
  const clock = withReply(null, at(1_000_000), 50)
  expect(writtenAt(clock, at(1_001_000), 900, 1250)).toBe(1050)
  // Never before it was asked for, nor after it came.
  expect(writtenAt(clock, at(1_001_000), 1100, 1250)).toBe(1100)
  expect(writtenAt(clock, at(1_009_000), 900, 1250)).toBe(1250)
})

it('an answer that the router shows again is as old as it is, not of now', () => {
  const clock = withReply(null, at(1_000_000), 50)
  expect(readAt(clock, at(1_001_000), 1_801_050)).toBe(1050)
  // Never later than now, and of now where the server's clock is not known.
  expect(readAt(clock, at(1_001_000), 900)).toBe(900)
  expect(readAt(null, at(1_001_000), 900)).toBe(900)
})
