import { describe, expect, it } from 'vitest'
import { serialAdvice } from './serial-advice.ts'

const where = { keyspace: 'locks', localDataCenter: 'dc1' }
const kept = (copies: Record<string, number>) => ({
  replication: { strategy: 'NetworkTopologyStrategy', copies },
})
const simple = { replication: { strategy: 'SimpleStrategy', copies: null } }

describe('a serial level in its cluster', () => {
  it.each([
    ['SERIAL', kept({ dc1: 3 })],
    ['SERIAL', kept({ dc1: 3, dc2: 3 })],
    ['SERIAL', simple],
    ['LOCAL_SERIAL', { replication: null }],
  ] as const)('%s is right: %j', (serial, facts) => {
    expect(serialAdvice(serial, where, facts)).toBeNull()
  })

  it.each([
    ['LOCAL_SERIAL', kept({ dc1: 3 }), /kept in dc1 alone, where SERIAL does the same/],
    ['LOCAL_SERIAL', kept({ dc1: 3, dc2: 3 }), /kept in dc1, dc2: two data centres can each grant a lease/],
    ['SERIAL', kept({ dc2: 3 }), /not in the local dc1: every statement crosses/],
  ] as const)('%s is explained: %j', (serial, facts, sentence) => {
    expect(serialAdvice(serial, where, facts)).toMatch(sentence)
  })

  it.each([
    [simple, /SimpleStrategy, which knows no data centres. Use SERIAL/],
    [kept({ dc2: 3, dc1: 0 }), /kept in dc2, and not in the local dc1. Use SERIAL/],
  ] as const)('LOCAL_SERIAL is refused where it can never succeed: %j', (facts, sentence) => {
    expect(() => serialAdvice('LOCAL_SERIAL', where, facts)).toThrow(sentence)
  })

  it('gives no advice on the data centre when the client does not name its own', () => {
    const unknown = { ...where, localDataCenter: undefined }
    expect(serialAdvice('SERIAL', unknown, kept({ dc2: 3 }))).toBeNull()
  })
})
