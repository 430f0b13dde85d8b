/** Lists under way: a process reads a few at once, however many are asked for. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestConsole, testConsole } from './test-console.ts'

let console: TestConsole
beforeAll(async () => {
  console = await testConsole(`lists_test_${Date.now().toString(36)}`)
})
afterAll(() => console?.context.session.close())

it('eight lists are read at once; the others come in turn, or get a Retry-After', async () => {
  const { context, api } = console
  const { leases } = context.tables.get('leases') ?? {}
  if (leases === undefined) throw new Error('no table')
  // Of one lease, so that each list reads one row.
  await api('PUT', '/v1/locks/one', { ttlSeconds: 600 })
  await api('GET', '/v1/leases')
  let underWay = 0
  let most = 0
  const read = leases.read.bind(leases)
  leases.read = async (name) => {
    most = Math.max(most, ++underWay)
    try {
      return await read(name)
    } finally {
      underWay--
    }
  }
  await api('GET', '/v1/session')
  const answers = await Promise.all(Array.from({ length: 100 }, () => api('GET', '/v1/leases?limit=200')))
  expect(most).toBe(8)
  for (const { status, headers } of answers) {
    if (status !== 200) expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  }
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(7)
})
