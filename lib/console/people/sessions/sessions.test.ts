import { StatementUnknownError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import { ActSends, ActWindow, actAfterPermitMs } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { RowSeal } from '../../store/row-seal.ts'
import { RowVersions } from '../../store/row-versions.ts'
import { SealedRows } from '../../store/sealed-rows.ts'
import type { peopleStatements } from '../people-statements.ts'
import type { UserRow } from '../user-row.ts'
import { closeOwnSession } from './audited-sessions.ts'
import { Sessions } from './sessions.ts'

/** Sessions on a table in memory, which a test can disturb between two statements. */
let clock: FakeClock
let sessions: Sessions
let table: Map<string, Record<string, unknown>>
let beforeInsert: () => Promise<unknown>
let afterDelete: () => void
let rewrites: number

const columns =
  'id_hash username created_at session_epoch via address ends_at used_at elevated_until elevated_under version seal'.split(
    ' ',
  )

async function execute(statement: unknown, values: unknown[]): Promise<{ rows: unknown[] }> {
  const key = values[0] as string
  if (statement === 'insertSession') {
    await beforeInsert()
    table.set(key, Object.fromEntries(columns.map((column, i) => [column, values[i]])))
    return { rows: [] }
  }
  if (statement === 'deleteSession') {
    const wasThere = table.delete(key)
    afterDelete()
    return { rows: [{ '[applied]': wasThere }] }
  }
  if (statement === 'rewriteSession') {
    rewrites += 1
    throw new StatementUnknownError('No answer came.', 'never')
  }
  return { rows: table.has(key) ? [table.get(key)] : [] }
}

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  table = new Map()
  beforeInsert = async () => {}
  afterDelete = () => {}
  rewrites = 0
  const nowMs = () => clock.now().wallMs
  const seal = new RowSeal(Buffer.alloc(32, 1))
  const rows = new SealedRows({ seal, versions: new RowVersions(nowMs), nowMs, report: () => {} })
  const statements = new Proxy({}, { get: (_, name) => name }) as ReturnType<typeof peopleStatements>
  const users = { find: async () => ann }
  sessions = new Sessions({
    session: { execute },
    statements,
    users,
    rows,
    log,
    clock,
    timer: clock,
  } as never)
})

const ann = { username: 'ann', role: 'admin', disabled: false, epoch: 'e', changeId: null } as UserRow
const open = async () => (await sessions.open(ann, { via: 'password', address: null })).id

it('a session that is signed out while it is being elevated is over', async () => {
  const id = await open()
  await clock.advance(1)
  // The owner signs out between the look-up of the elevation and its insert.
  beforeInsert = async () => expect(await sessions.close(id)).toBe(true)
  expect(await clock.run(sessions.elevate(id))).toBeNull()
  expect(table.size).toBe(0)
})

describe('an act on a session whose process was stopped', () => {
  const stop = async () => clock.suspend(actAfterPermitMs + 1)
  const sends = () => new ActSends(new ActWindow(clock))

  it('before an elevation: no elevated session is made', async () => {
    const id = await open()
    const { beforeSend } = sends()
    await stop()
    await expect(clock.run(sessions.elevate(id, beforeSend))).rejects.toMatchObject({ code: 'too-late' })
    expect(table.size).toBe(1)
  })

  it('after the elevated session was made: no caller gets it, and the one before stays', async () => {
    const id = await open()
    beforeInsert = stop
    const elevated = clock.run(sessions.elevate(id, sends().beforeSend))
    await expect(elevated).rejects.toMatchObject({ code: 'statement-unknown' })
    expect(await sessions.find(id)).toMatchObject({ username: 'ann', elevatedUntil: null })
  })

  it('while the end of an elevation has no answer: it is not sent again', async () => {
    const id = (await sessions.elevate(await open()))?.id as string
    const { beforeSend } = sends()
    const lowered = clock.run(
      sessions.lower(id, () => {
        if (rewrites > 0) clock.suspend(actAfterPermitMs + 1)
        beforeSend()
      }),
    )
    await expect(lowered).rejects.toMatchObject({ code: 'statement-unknown' })
    expect(rewrites).toBe(1)
  })
})

describe('a sign-out whose answers were lost', () => {
  let outcomes: (string | null)[]
  const audit = {
    appendUntilWritten: async ({ outcome }: AuditEvent) => void outcomes.push(outcome),
  }
  async function signedIn() {
    const sessionId = await open()
    const sender = { session: await sessions.find(sessionId), address: null, requestId: 'r', sessionId }
    return { sessionId, signOut: () => closeOwnSession({ sessions, audit } as never, sender as never) }
  }

  beforeEach(() => {
    outcomes = []
    afterDelete = () => {
      throw new StatementUnknownError('No answer came.', 'never')
    }
  })

  it('has an entry, and its row cannot be put back', async () => {
    const { sessionId, signOut } = await signedIn()
    const before = [...table]
    await expect(signOut()).rejects.toMatchObject({ code: 'statement-unknown' })
    // The writer's role puts the row back.
    for (const [key, row] of before) table.set(key, row)
    expect(await sessions.find(sessionId)).toBeNull()
    expect(outcomes).toEqual(['unknown'])
  })

  it('has one entry with another sign-out that was permitted before', async () => {
    const { signOut } = await signedIn()
    await expect(signOut()).rejects.toMatchObject({ code: 'statement-unknown' })
    afterDelete = () => {}
    await signOut()
    expect(outcomes).toEqual(['unknown'])
  })
})
