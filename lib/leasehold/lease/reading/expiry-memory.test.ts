import { expect, it } from 'vitest'
import { ExpiryMemory } from './expiry-memory.ts'

it('of several reads of one write the smallest expiry counts, also where it came first', () => {
  const memory = new ExpiryMemory()
  expect([12, 11, 13].map((seconds) => memory.smallest('job', 1n, seconds))).toEqual([12, 11, 11])
})

it('each write has an expiry of its own: a renewal is later, and so is the row of another name', () => {
  const memory = new ExpiryMemory()
  memory.smallest('job', 1n, 11)
  expect(memory.smallest('job', 2n, 21)).toBe(21)
  expect(memory.smallest('other', 2n, 31)).toBe(31)
  expect(memory.smallest('job', 2n, 22)).toBe(21)
})

it('of more names than it has room for, it forgets the one that was read the longest ago', () => {
  const memory = new ExpiryMemory(2)
  memory.smallest('first', 1n, 10)
  memory.smallest('second', 1n, 10)
  memory.smallest('first', 1n, 12)
  memory.smallest('third', 1n, 10)
  expect(['first', 'third', 'second'].map((name) => memory.smallest(name, 1n, 15))).toEqual([10, 10, 15])
})
