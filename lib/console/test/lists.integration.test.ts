/** Lists under way: a process reads a few at once, however many are asked for. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestConsole, testConsole } from './test-console.ts'
import { emptiedKeyspace } from './test-keyspace.ts'

let console: TestConsole
beforeAll(async () => {
  console = await testConsole(await emptiedKeyspace())
})
afterAll(() => console?.context.session.close())

it('eight lists are read at once, four of one sender; the others come in turn, or get a Retry-After', async () => {
  const { context, api } = console
  const { leases } = context.tables.get('leases') ?? {}
  if (leases === undefined) throw new Error('no table')
  // Of one lease, so that each list reads one row.
  await api('PUT', '/v1/locks/one', { ttlSeconds: 600 })
  await api('GET', '/v1/leases')
  let underWay = 0
  let most = 0
  /** While it is there, reads wait for it: a list that a busy machine begins later then meets the earlier ones. */
  let held: Promise<void> | undefined
  const read = leases.read.bind(leases)
  leases.read = async (name) => {
    if (name !== 'one') return read(name)
    most = Math.max(most, ++underWay)
    try {
      await held
      return await read(name)
    } finally {
      underWay--
    }
  }
  const senders: Record<string, string>[] = [{}]
  for (const name of ['one', 'two']) {
    const { body } = await api('POST', '/v1/tokens', { name, role: 'viewer', prefixes: [''] })
    senders.push({ cookie: '', authorization: `Bearer ${body.token}` })
  }
  const list = (sender: number) => api('GET', '/v1/leases?limit=200', undefined, senders[sender])
  await Promise.all(senders.map((_, sender) => list(sender)))
  const atOnce = async (count: number, sender: (i: number) => number, expected: number) => {
    most = 0
    let letGo = () => {}
    held = new Promise((resolve) => {
      letGo = resolve
    })
    const answered = Promise.all(Array.from({ length: count }, (_, i) => list(sender(i))))
    try {
      await expect.poll(() => underWay).toBe(expected)
    } finally {
      held = undefined
      letGo()
    }
    const answers = await answered
    expect(most).toBe(expected)
    return answers
  }
  const ofOne = await atOnce(40, () => 0, 4)
  const ofThree = await atOnce(99, (i) => i % 3, 8)
  const answers = [...ofOne, ...ofThree]
  for (const { status, headers } of answers) {
    if (status !== 200) expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  }
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(7)
})
