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

it.each([
  [['a:9142', 'b:9142', '[::1]:9142'], 9142],
  [['a', 'b'], undefined],
  [['a:9142', 'b:9143'], undefined],
  [['a:9142', 'b'], undefined],
])('looks for the nodes beside %j at port %s', (contactPoints, port) => {
  expect(clientOptions({ ...where, contactPoints }).protocolOptions).toEqual(
    port === undefined ? { maxVersion: 4 } : { maxVersion: 4, port },
  )
})

it('looks for the other nodes at the port that the driver’s own settings say', () => {
  const driverOptions = { protocolOptions: { port: 9_242 } }
  expect(clientOptions({ ...where, contactPoints: ['a:9142'], driverOptions }).protocolOptions).toEqual({
    maxVersion: 4,
    port: 9_242,
  })
})
