import cassandra from 'cassandra-driver'
import { expect, it } from 'vitest'
import { clientOptions } from './client-options.ts'

const where = { contactPoints: ['db'], localDataCenter: 'dc1', keyspace: 'locks' }

it('takes every optional setting as undefined', () => {
  const bare = clientOptions({
    ...where,
    username: undefined,
    password: undefined,
    reader: undefined,
    tls: undefined,
    serial: undefined,
    paxosVariant: undefined,
    driverOptions: undefined,
    client: undefined,
  })
  expect(bare).not.toHaveProperty('credentials')
  expect(bare).not.toHaveProperty('sslOptions')
})

it("passes the driver's settings on, except where safety depends on ours", () => {
  const loadBalancing = new cassandra.policies.loadBalancing.RoundRobinPolicy()
  const merged = clientOptions({
    ...where,
    username: 'u',
    driverOptions: {
      contactPoints: ['elsewhere'],
      pooling: { heartBeatInterval: 1, warmup: false },
      socketOptions: { readTimeout: 7 },
      encoding: { useBigIntAsLong: false, useUndefinedAsUnset: true },
      policies: { retry: new cassandra.policies.retry.RetryPolicy(), loadBalancing },
      queryOptions: { isIdempotent: true, fetchSize: 10 },
      sslOptions: { rejectUnauthorized: false, servername: 'db' },
    },
  })
  expect(merged).toMatchObject({
    contactPoints: ['db'],
    credentials: { username: 'u', password: '' },
    pooling: { heartBeatInterval: 1, warmup: false },
    socketOptions: { readTimeout: 7, connectTimeout: 3_000 },
    encoding: { useBigIntAsLong: true, useUndefinedAsUnset: true },
    queryOptions: { isIdempotent: false, fetchSize: 10 },
    sslOptions: { rejectUnauthorized: true, servername: 'db' },
  })
  expect(merged.policies?.loadBalancing).toBe(loadBalancing)
  expect(merged.policies?.retry).toBeInstanceOf(cassandra.policies.retry.FallthroughRetryPolicy)
})
