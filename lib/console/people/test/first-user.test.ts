import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { WithoutEffect } from '../../audit/audited.ts'
import type { Log } from '../../http/log/log.ts'
import { firstSignInLine, prepareFirstUser } from '../sign-in/first-user.ts'
import type { SetupLink } from '../sign-in/setup-link.ts'
import type { UserRow } from '../user-row.ts'
import type { Users } from '../users.ts'

const link = 'http://localhost:3000/setup#abc'
const created = {} as UserRow

interface Start {
  adminPassword?: string
  /** The user `admin` is there at the start. */
  exists?: boolean
  /** Another instance makes it meanwhile. */
  isRaced?: boolean
  /** Another client has deleted its row with a timestamp in the future. */
  isHidden?: boolean
}

let said: string[]
beforeEach(() => {
  said = []
})

async function lineOf({ adminPassword, exists = false, isRaced = false, isHidden = false }: Start) {
  const written = async () => {}
  const firstSignIn = await prepareFirstUser({
    config: adminPassword === undefined ? {} : { adminPassword },
    users: {
      exists: async () => exists,
      refuseDeleted: async () => {},
      create: async () => {
        if (isHidden) throw new WithoutEffect('Something dated it in the future.', [])
        return isRaced ? null : created
      },
    } as unknown as Users,
    setupLink: { issue: async () => link } as unknown as SetupLink,
    audit: { append: written, appendUntilWritten: written } as unknown as AuditLog,
    clock: new FakeClock(),
    log: { error: (_facts: object, sentence: string) => said.push(sentence) } as unknown as Log,
  })
  return firstSignIn === null ? null : firstSignInLine(firstSignIn)
}

it('says how to sign in at the first start, with and without a password in the environment', async () => {
  expect(await lineOf({})).toBe(`sign-in link: ${link}`)
  expect(await lineOf({ adminPassword: 'long enough' })).toBe(
    'Sign in as admin with LEASEHOLD_ADMIN_PASSWORD.',
  )
})

it('says nothing where this start did not make the user: its password may be another', async () => {
  expect(await lineOf({ adminPassword: 'long enough', isRaced: true })).toBeNull()
  expect(await lineOf({ exists: true })).toBeNull()
  expect(await lineOf({ exists: true, adminPassword: 'long enough' })).toBeNull()
})

it('starts although the row of the user cannot be written, and says so', async () => {
  expect(await lineOf({ adminPassword: 'long enough', isHidden: true })).toBeNull()
  expect(said).toEqual(['The user admin is not made: Something dated it in the future.'])
})
