import { expect, it } from 'vitest'
import type { AuditAct, AuditEntry } from '../../../contract/audit.ts'
import { tokenFollowUps } from './token-follow-up.ts'
import type { TokenRow } from './token-row.ts'

const intent = { on: { kind: 'token', id: 'drawn', name: 'ci' } } as AuditEntry
const outcomeOf = async (act: AuditAct, row: Partial<TokenRow> | null) => {
  const followUps = tokenFollowUps({ apiTokens: { confirmed: async () => row as TokenRow | null } })
  return (await followUps[act]?.(intent, { early: false }))?.outcome
}

it('the row of a token proves that it was made, and was not revoked', async () => {
  expect(await outcomeOf('token-create', { id: 'drawn', version: 1 })).toBe('ok')
  expect(await outcomeOf('token-revoke', { id: 'drawn', version: 1 })).toBe('not-done')
})

it('a token without a row may have been made, and revoked by another person since', async () => {
  expect(await outcomeOf('token-create', null)).toBe('unknown')
})

it('a token without a row may have been revoked by another person', async () => {
  expect(await outcomeOf('token-revoke', null)).toBe('unknown')
})
