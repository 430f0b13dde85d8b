import type { CassandraSession } from 'leasehold/cassandra'
import { StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { PeopleStatements } from '../people-statements.ts'
import { UserEffect } from '../user-effect.ts'
import { type UserRow, userColumns, userValues } from '../user-row.ts'

const clock = new FakeClock(Date.UTC(2026, 0, 1))
const nowMs = clock.now().wallMs
const user: UserRow = {
  username: 'ann',
  role: 'viewer',
  disabled: false,
  createdAt: new Date(0),
  passwordHash: null,
  epoch: 'e',
  subject: null,
  changeId: 'c',
  createdBy: null,
  changedAt: null,
  changedBy: null,
  version: nowMs,
  seal: 's',
}
const statements = { confirmUser: 'confirm', userTimes: 'times', overwriteUser: 'overwrite' }

/** The row has `version` after a write that was answered as applied. @returns what was sent */
async function confirmed(version: bigint, overwritten?: () => void, silent?: string): Promise<unknown[]> {
  let stored: object = { ...userColumns(user), version, seal: 'other' }
  const sent: unknown[] = []
  const session = {
    execute: async (statement: unknown) => {
      if (statement === silent) throw new StoreUnavailableError('No node answers.')
      sent.push(statement)
      if (statement === 'overwrite')
        stored = { ...userColumns(user), version: userValues(user).at(-2), seal: user.seal }
      return { rows: statement === 'confirm' ? [stored] : [] }
    },
  } as unknown as CassandraSession
  const made = { session, statements: statements as unknown as PeopleStatements, clock, overwritten }
  await new UserEffect(made).confirm(user, [])
  return sent
}

it('a later version shows that another change came after the write', async () => {
  expect(await confirmed(BigInt(nowMs) + 1_000n)).toEqual(['confirm'])
})

it('a version that another client made up shows no effect of the write: the row is written again', async () => {
  const forged = 9_000_000_000_000_000_000n
  await expect(confirmed(forged)).rejects.toMatchObject({ code: 'no-effect' })
  expect(await confirmed(forged, () => {})).toContain('overwrite')
})

it.each(['confirm', 'times'])(
  'a read after the write that is not sent leaves the outcome open: %s',
  async (silent) => {
    const open = { code: 'statement-unknown' }
    await expect(confirmed(BigInt(nowMs) - 1_000n, undefined, silent)).rejects.toMatchObject(open)
  },
)
