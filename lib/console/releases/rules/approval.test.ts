import { expect, it } from 'vitest'
import { type ApprovalServices, checkSecondPerson } from './approval.ts'

type Found = NonNullable<Awaited<ReturnType<ApprovalServices['users']['find']>>>

/** ben approves what ann asked for; `changed`: what their rows say by now. */
async function approve(changed: { ann?: Partial<Found>; ben?: Partial<Found> } = {}) {
  const account = { role: 'admin', disabled: false, subject: null, changedAt: null } as const
  const of = (username: 'ann' | 'ben') => ({
    ...account,
    createdAt: new Date(0),
    username,
    ...changed[username],
  })
  const users = { find: async (username: string) => of(username as 'ann' | 'ben') }
  const config = { adminActions: true, maxClockSkewMs: 100, secondPersonFor: [''], secondPersonAfterMs: 1 }
  await checkSecondPerson(
    { requestedBy: 'ann', mode: 'kill' },
    'ben',
    { users, config },
    Date.UTC(2026, 0, 2),
  )
}

it('both people must have the right when the release is approved, whatever the session of one says', async () => {
  await approve()
  for (const lost of [{ disabled: true }, { role: 'operator' }] as const) {
    await expect(approve({ ann: lost })).rejects.toThrow(
      /^ann requested this release, but may no longer kill/,
    )
    await expect(approve({ ben: lost })).rejects.toThrow(/^ben may no longer kill leases/)
  }
})

it('neither of the two accounts may be younger than a second person has to be', async () => {
  const young = { createdAt: new Date(Date.UTC(2026, 0, 2)) }
  await expect(approve({ ann: young })).rejects.toThrow(/\bann\b/)
  await expect(approve({ ben: young })).rejects.toThrow(/\bben\b/)
})
