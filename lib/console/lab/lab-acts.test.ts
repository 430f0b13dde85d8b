import { expect, it } from 'vitest'
import { terminalAuthority } from '../audit/authority.ts'
import { AuditDamagedError } from '../audit/chain/end/chain-alarm.ts'
import { actIn, startRun } from './lab-acts.ts'
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

it('where forced releases are switched off, none is made in the lab either, by a person or by a story', async () => {
  const done: unknown[] = []
  const servicesWith = (adminActions: boolean) =>
    ({
      lab: {
        act: async (_run: string, act: unknown) => done.push(act),
        start: async (asked: unknown) => done.push(asked),
      },
      audit: { follow: async () => {}, append: async () => {}, appendUntilWritten: async () => {} },
      config: { adminActions },
    }) as unknown as LabServices
  const ann = terminalAuthority('ann')
  const release = (mode: 'ask' | 'break' | 'kill') => ({ act: 'release', mode }) as const
  const off = servicesWith(false)
  for (const mode of ['ask', 'break', 'kill'] as const)
    await expect(actIn(off, ann, 'g17aaaaa', release(mode))).rejects.toMatchObject({ code: 'forbidden' })
  await expect(startRun(off, ann, { scenario: 'forced-release' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(done).toEqual([])
  const join = { act: 'join' } as const
  await actIn(servicesWith(true), ann, 'g17aaaaa', release('kill'))
  await actIn(off, ann, 'g17aaaaa', join)
  await startRun(off, ann, { scenario: 'crash' })
  expect(done).toEqual([release('kill'), join, { scenario: 'crash' }])
})
