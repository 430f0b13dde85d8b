import { expect, it } from 'vitest'
import type { AuditEvent } from '../../lib/contract/audit.ts'
import { changedRights } from './changed-rights.ts'

type Side = { before?: unknown; after: unknown; act?: AuditEvent['act'] }

const of = (...parts: [Side, ...Side[]]) => {
  const [first, ...rest] = parts.map(({ before = null, after, act = 'user-change' }) => ({
    event: { act, before, after } as AuditEvent,
    entry: null,
  }))
  return first === undefined ? null : changedRights([first, ...rest])
}
const before = { role: 'operator', disabled: false, userVersion: 7 }

it('says the new role and the old one', () => {
  expect(of({ before, after: { role: 'admin', disabled: false } })).toBe('role admin, was operator')
  expect(of({ act: 'user-create', after: { role: 'viewer' } })).toBe('role viewer')
})

it('says that a user was disabled or enabled', () => {
  expect(of({ before, after: { role: 'operator', disabled: true } })).toBe('disabled')
  expect(of({ before: { ...before, disabled: true }, after: { role: 'admin', disabled: false } })).toBe(
    'role admin, was operator; enabled',
  )
})

it('of a change that was refused or is not done yet, says what was wanted', () => {
  const intent = { before, after: { disabled: true } }
  expect(of({ before, after: { problem: 'last-admin' } }, intent)).toBe('disabled')
  expect(of(intent)).toBe('disabled')
})

it('says nothing where nothing changed, where the entry has no rights, and of other acts', () => {
  expect(of({ before, after: { role: 'operator', disabled: false } })).toBeNull()
  expect(of({ after: { noted: 3 } })).toBeNull()
  expect(of({ before, after: { role: '<b>', disabled: 'x' } })).toBeNull()
  expect(of({ act: 'token-create', after: { role: 'viewer' } })).toBeNull()
})
