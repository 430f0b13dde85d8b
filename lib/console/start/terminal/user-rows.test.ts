import { FakeClock } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { terminalAuthority } from '../../audit/authority.ts'
import { UserRepair } from '../../people/user-repair.ts'
import type { UserRow } from '../../people/user-row.ts'
import type { UserStore } from '../../people/user-store.ts'
import { RowSeal } from '../../store/row-seal.ts'
import { RowVersions } from '../../store/row-versions.ts'
import { type RowMark, SealedRows } from '../../store/sealed-rows.ts'
import { checkRow } from './user-rows.ts'

const clock = new FakeClock(Date.UTC(2026, 0, 1))
const nowMs = () => clock.now().wallMs
let stored: Record<string, unknown>
let versions: RowVersions
let services: Parameters<typeof checkRow>[0]

beforeEach(() => {
  versions = new RowVersions(nowMs)
  stored = {
    username: 'ann',
    password_hash: null,
    role: 'viewer',
    disabled: false,
    created_at: new Date(0),
    session_epoch: 'e',
    subject: null,
    change_id: 'c',
    created_by: null,
    changed_at: null,
    changed_by: null,
    version: BigInt(nowMs()),
    seal: 'forged',
  }
  const store = {
    confirmed: async () => stored,
    seal: async (_: UserRow, { version, seal }: RowMark) => {
      stored = { ...stored, version: BigInt(version), seal }
      return true
    },
  } as unknown as UserStore
  const audit = {
    page: async () => ({ entries: [], nextCursor: null }),
    append: async () => {},
    appendUntilWritten: () => {},
  } as unknown as AuditLog
  const seal = new RowSeal(Buffer.alloc(32))
  const rows = new SealedRows({ seal, versions, nowMs, report: () => {} })
  services = { repair: new UserRepair(store, rows, clock), audit, clock }
})

const check = (isRepair: boolean) => checkRow(services, terminalAuthority('root'), 'ann', { isRepair })

describe('a row whose version another client made up', () => {
  const greatest = 2n ** 63n - 1n
  it.each([9_000_000_000_000_000_000n, greatest, -greatest])('of %s: says what is wrong', async (version) => {
    stored = { ...stored, version }
    await expect(check(false)).rejects.toThrow(
      /no valid seal.*\n.*the row: +viewer, enabled, written at a time that is no date/,
    )
  })

  it.each([9_000_000_000_000_000_000n, greatest, BigInt(Date.UTC(2126, 0, 1))])(
    'of %s: is accepted under one of now, or after the newest',
    async (version) => {
      stored = { ...stored, version }
      await check(true)
      expect(stored.version).toBe(BigInt(nowMs()))
      versions.note({ table: 'users', key: 'ann', version: nowMs() + 7 })
      stored = { ...stored, version }
      await check(true)
      expect(stored.version).toBe(BigInt(nowMs() + 8))
    },
  )
})

it('a row is accepted under a later version than it has, by whichever clock that was made', async () => {
  stored = { ...stored, version: BigInt(nowMs() + 2_000) }
  await check(true)
  expect(stored.version).toBe(BigInt(nowMs() + 2_001))
})
