import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StoredTerms } from '../../election/index.ts'
import { testSession } from '../../test/node-session.ts'
import { termContract } from '../../testing/index.ts'
import { tables } from '../schema/tables.ts'
import type { CassandraSession } from '../session/session.ts'
import { CassandraTermStore } from './term-store.ts'

const keyspace = 'terms_test'
let session: CassandraSession
let groups = 0
const fresh = () => `g/${process.pid}/${Date.now().toString(36)}/${++groups}`

beforeAll(async () => {
  session = await testSession(keyspace)
  await session.client.execute(tables.election_terms.replaceAll('$k', keyspace))
})
afterAll(() => session?.close())

describe('Cassandra keeps the contract of terms', () => {
  for (const { title, run } of termContract) it(title, () => run(new CassandraTermStore(session), fresh()))
})

it('gives each of eight contenders a term of its own, which grow with their tokens', async () => {
  const group = fresh()
  const begun = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) =>
      new StoredTerms({ store: new CassandraTermStore(session) }).begin({
        name: group,
        owner: `contender ${i}`,
        token: BigInt(i + 1),
        ttlSeconds: 30,
      }),
    ),
  )
  const terms = begun
    .flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    .sort((a, b) => (a.term < b.term ? -1 : 1))
  // A contender that a greater token overtook is refused, not counted.
  for (const outcome of begun)
    if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('lease-lost')
  expect(terms.at(-1)?.leader).toBe('contender 7')
  expect(terms.map(({ term }) => term)).toEqual(terms.map((_, i) => BigInt(i + 1)))
  expect(terms.map(({ token }) => token)).toEqual(
    terms.map(({ token }) => token).sort((a, b) => (a < b ? -1 : 1)),
  )
})
