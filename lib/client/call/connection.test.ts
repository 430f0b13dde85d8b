import { describe, expect, it } from 'vitest'
import { problemStatus } from '../../contract/problem-codes.ts'
import { ApiError, type ApiErrorCode } from './api-error.ts'
import type { CallEvent } from './call.ts'
import { afterCall, type Connection, pulseMs, pulseTimeoutMs } from './connection.ts'

const ok = (route: CallEvent['route'], startedAtMs: number, endedAtMs = startedAtMs + 10): CallEvent => ({
  route,
  startedAtMs,
  endedAtMs,
})
const failed = (
  route: CallEvent['route'],
  startedAtMs: number,
  code: ApiErrorCode,
  nodes?: number,
): CallEvent => ({
  ...ok(route, startedAtMs),
  error: new ApiError({
    code,
    problem:
      code === 'cassandra-unavailable'
        ? { type: '', title: '', status: problemStatus[code], code, detail: '', nodes, nodesUp: 1 }
        : undefined,
  }),
})
const never = { answeredAtMs: Number.NEGATIVE_INFINITY, cassandraSilentAtMs: Number.NEGATIVE_INFINITY }
const after = (...events: CallEvent[]) =>
  events.reduce<Connection>((before, event) => afterCall(before, event, never), { kind: 'unknown' })

describe('the connection', () => {
  it('is good after a SERIAL read, and lost after a pulse that Cassandra did not answer', () => {
    expect(after(ok('listLeases', 0))).toEqual({ kind: 'good', goodAtMs: 10 })
    expect(after(ok('getCluster', 0), failed('getCluster', 2000, 'cassandra-unavailable', 3))).toMatchObject({
      kind: 'lost',
      cause: 'cassandra',
      sinceMs: 10,
      goodAtMs: 10,
      nodes: 3,
      nodesUp: 1,
      nextTryAtMs: 2010 + pulseMs,
    })
  })

  it('remembers since when, however often it fails', () => {
    const twice = after(
      ok('getCluster', 0),
      failed('getCluster', 2000, 'cassandra-unavailable', 3),
      failed('getCluster', 4000, 'server-timeout'),
    )
    expect(twice).toMatchObject({
      kind: 'lost',
      cause: 'cassandra',
      sinceMs: 10,
      noticedAtMs: 4010,
      nodes: 3,
    })
  })

  it('is not lost by one list that is slow or refused', () => {
    for (const code of ['server-timeout', 'cassandra-unavailable', 'forbidden'] as const)
      expect(after(ok('getCluster', 0), failed('listLeases', 100, code)).kind).toBe('good')
  })

  it('is lost by any call that finds no server', () => {
    expect(after(ok('getCluster', 0), failed('getLease', 100, 'server-unreachable'))).toMatchObject({
      cause: 'server',
    })
  })

  it('is found by a read that began after the loss, and by no earlier one', () => {
    const lost = [ok('getCluster', 0), failed('getCluster', 2000, 'cassandra-unavailable', 3)]
    expect(after(...lost, ok('listLeases', 1990, 2500)).kind).toBe('lost')
    expect(after(...lost, ok('listLeases', 2100)).kind).toBe('good')
    expect(after(...lost, failed('getLease', 2100, 'not-held')).kind).toBe('good')
    expect(after(...lost, failed('getLease', 2100, 'unauthenticated')).kind).toBe('lost')
  })

  it('asks the server’s own health whose silence it is', () => {
    const silent = [ok('getCluster', 0), failed('getCluster', 2000, 'server-timeout')]
    expect(after(...silent)).toMatchObject({ cause: 'silence' })
    expect(after(...silent, ok('healthz', 4000))).toMatchObject({ cause: 'cassandra' })
    expect(after(...silent, failed('healthz', 4000, 'server-timeout'))).toMatchObject({ cause: 'server' })
  })

  it('is noticed within five seconds, whatever does not answer', () => {
    expect(pulseMs + pulseTimeoutMs).toBeLessThanOrEqual(4500)
  })
})
