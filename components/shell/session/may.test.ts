import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import type { Session } from '../../../lib/contract/people/session.ts'
import { may } from './may.ts'

const as = (role: Session['role'], elevatedUntil: string | null = null): Session => ({
  username: 'anna',
  role,
  via: 'password',
  scope: null,
  elevatedUntil,
  expiresAt: null,
})

describe('what is shown to whom', () => {
  it('the audit log to operators and admins', () => {
    expect(may(as('viewer'), endpoints.listAudit)).toBe(false)
    expect(may(as('operator'), endpoints.listAudit)).toBe(true)
    expect(may(as('admin'), endpoints.listAudit)).toBe(true)
  })

  it('what needs an elevation too, before there is one; but not to whom an elevation would not help', () => {
    expect(may(as('admin'), endpoints.createUser)).toBe(true)
    expect(may(as('admin', '2026-11-21T03:22:49.000Z'), endpoints.createUser)).toBe(true)
    expect(may(as('operator', '2026-11-21T03:22:49.000Z'), endpoints.createUser)).toBe(false)
  })

  it('nothing of people’s to a program', () => {
    expect(may(as('client'), endpoints.listUsers)).toBe(false)
  })
})
