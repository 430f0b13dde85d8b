import cassandra from 'cassandra-driver'
import { expect, it } from 'vitest'
import { CassandraSession, type SessionParts } from './session.ts'

/** A session whose client answers what it was sent when the test says so. */
function sessionWithout(answer: Error) {
  let lose = () => {}
  const sent: string[] = []
  const client = {
    execute: (cql: string) =>
      new Promise((_, reject) => {
        sent.push(cql)
        lose = () => reject(answer)
      }),
  }
  const parts = { client, reader: client, keyspace: 'k', close: async () => void sent.push('closed') }
  return {
    session: new CassandraSession(parts as unknown as SessionParts),
    lose: () => lose(),
    sent: () => sent,
  }
}

const givenUp = () => new cassandra.errors.OperationTimedOutError('No reply.', '127.0.0.1:9042')

it.each([
  ['a read fails because the session is closed', 'SELECT a FROM t', { code: 'closed' }],
  [
    'a plain write fails, and may have happened',
    'INSERT INTO t (a) VALUES (1)',
    { code: 'store-unavailable', mayHaveHappened: true },
  ],
])('closed before an answer came: %s', async (_, cql, error) => {
  const { session, lose } = sessionWithout(givenUp())
  const statement = { cql, consistency: cassandra.types.consistencies.quorum, readTimeoutMs: 10 }
  const answered = expect(session.execute(statement, [])).rejects.toMatchObject(error)
  await session.close()
  lose()
  await answered
})

it('sends what was asked for before it is closed', async () => {
  const { session, lose, sent } = sessionWithout(givenUp())
  const statement = { cql: 'SELECT a FROM t', consistency: 0, readTimeoutMs: 10 }
  const asked = session.execute(statement, [])
  const closed = session.close()
  await expect(session.execute(statement, [])).rejects.toMatchObject({ code: 'closed' })
  await closed
  expect(sent()).toEqual(['SELECT a FROM t', 'closed'])
  lose()
  await expect(asked).rejects.toThrow()
})
