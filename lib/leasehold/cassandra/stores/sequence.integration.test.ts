import { afterAll, beforeAll, expect, it } from 'vitest'
import { Sequence } from '../../sequence/index.ts'
import { testConnect, testContactPoint, testCredentials, testSession } from '../../test/node-session.ts'
import { FaultProxy } from '../../testing/index.ts'
import type { CassandraSession } from '../session/session.ts'
import { CassandraSequenceStore } from './sequence-store.ts'

const keyspace = 'sequence_test'
let session: CassandraSession
let names = 0
const fresh = () => `s/${process.pid}/${++names}`

beforeAll(async () => {
  session = await testSession(keyspace)
  await session.client.execute(
    `CREATE TABLE IF NOT EXISTS ${keyspace}.sequences (name text PRIMARY KEY, next bigint)`,
  )
})
afterAll(() => session?.close())

it('gives 400 numbers to eight contenders, none twice', async () => {
  const name = fresh()
  const store = new CassandraSequenceStore(session)
  const numbers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const sequence = new Sequence({ store, name, blockSize: 10 })
      const mine: bigint[] = []
      for (let i = 0; i < 50; i++) mine.push(await sequence.next())
      expect(mine).toEqual(mine.toSorted((a, b) => (a < b ? -1 : 1)))
      return mine
    }),
  )
  expect(new Set(numbers.flat()).size).toBe(400)
})

it('does not wrap round at the end of a bigint', async () => {
  const name = fresh()
  const store = new CassandraSequenceStore(session)
  const end = 2n ** 63n - 1n
  await store.advance(name, null, end - 2n)
  const sequence = new Sequence({ store, name })
  expect([await sequence.next(), await sequence.next()]).toEqual([end - 2n, end - 1n])
  await expect(sequence.next()).rejects.toMatchObject({ code: 'store-refused' })
  await expect(store.advance(name, end, end + 1n)).rejects.toMatchObject({ code: 'store-refused' })
  expect(await store.read(name)).toBe(end)
})

it('gives none twice through connections that break and answers that are held back', async () => {
  const [host = '', port = ''] = testContactPoint().split(':')
  const proxy = await FaultProxy.listen(host, Number(port))
  const behind = await testConnect({
    contactPoints: [proxy.contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    ...testCredentials(),
  })
  try {
    const name = fresh()
    const given: bigint[] = []
    const contend = async (by: CassandraSession) => {
      const sequence = new Sequence({ store: new CassandraSequenceStore(by), name })
      for (let i = 0; i < 60; i++) given.push(await sequence.next())
    }
    const work = Promise.all([contend(behind), contend(session)])
    for (let faults = 0; faults < 10; faults++) {
      await new Promise((done) => setTimeout(done, 60))
      proxy.holdAnswers()
      await new Promise((done) => setTimeout(done, 20))
      proxy.cut()
    }
    await work
    expect(given).toHaveLength(120)
    expect(new Set(given).size).toBe(120)
  } finally {
    await behind.close()
    await proxy.close()
  }
})
