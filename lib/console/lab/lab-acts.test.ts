import { expect, it } from 'vitest'
import { terminalAuthority } from '../audit/authority.ts'
import { AuditDamagedError } from '../audit/chain/end/chain-alarm.ts'
import { startRun } from './lab-acts.ts'
import type { LabServices } from './lab-services.ts'

it('no run begins while the audit log was changed outside this console', async () => {
  const started: unknown[] = []
  const services = {
    lab: { start: async (asked: unknown) => started.push(asked) },
    audit: {
      follow: async () => {
        const since = '2026-01-01T00:00:00.000Z'
        const at = { chain: 'main', kind: 'missing', bucket: '2026-01-01', seq: 7, since } as const
        throw new AuditDamagedError({ ...at, detail: 'an entry is missing' })
      },
    },
  } as unknown as LabServices
  await expect(startRun(services, terminalAuthority('ann'), {})).rejects.toMatchObject({
    code: 'audit-unavailable',
  })
  expect(started).toEqual([])
})
