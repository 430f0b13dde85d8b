/**
 * The answer to an acquisition is lost, and the row has the owner that the request names. That proves the acquisition of a
 * program. A person may have named the owner of a program, which acquired the lease meanwhile: to renew it is a kill.
 */
import { StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { expect, it, vi } from 'vitest'
import type { Session } from '../../../../contract/people/session.ts'
import { ownerFor } from '../../own-lease.ts'
import { locking, program } from './test-locking.ts'

const ann = {
  ...program,
  username: 'ann',
  role: 'operator',
  via: 'password',
  elevatedUntil: new Date(Date.UTC(2026, 10, 21, 13)).toISOString(),
  scope: null,
} as Session

/** Acquires for `owner`, whose row comes while the answer is lost. */
function acquired(session: Session, owner: string) {
  const { clock, store, written, audit, put } = locking({ session })
  const renewals = vi.spyOn(store, 'renew')
  store.acquire = async () => {
    store.plain.insertIfNotExists('job', owner, null, 30)
    throw new StatementUnknownError('by order of the test', 'read')
  }
  const outcome = clock.run(put({ owner, ttlSeconds: 60 }))
  return { outcome, audit, renewals, entries: () => written.map(({ act, phase }) => `${act} ${phase}`) }
}

it.each([
  ['a program, of the owner that it chose', program, 'worker-1'],
  ['a person, of the owner that the console gave to that person', ann, ownerFor(ann) as string],
])('the row proves the acquisition of %s', async (_, session, owner) => {
  const { outcome, entries } = acquired(session, owner)
  expect(await outcome).toMatchObject({ kind: 'acquired' })
  expect(entries()).toEqual([])
})

it('a person who names the owner of a program has acquired nothing, and may not renew that lease', async () => {
  const { outcome, renewals } = acquired(ann, 'worker-1')
  await expect(outcome).rejects.toMatchObject({ code: 'forbidden' })
  expect(renewals).not.toHaveBeenCalled()
})

it('a person who may kill renews that lease, and the audit log has the renewal', async () => {
  const { outcome, entries } = acquired({ ...ann, role: 'admin' } as Session, 'worker-1')
  expect(await outcome).toMatchObject({ kind: 'renewed' })
  expect(entries()).toEqual(['renewal intent', 'renewal outcome'])
})

it('and without the audit log the answer is not that nothing was changed: the acquisition may have counted', async () => {
  const { outcome, audit, renewals } = acquired({ ...ann, role: 'admin' } as Session, 'worker-1')
  audit.append = async () => {
    throw new StoreUnavailableError('by order of the test')
  }
  await expect(outcome).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(renewals).not.toHaveBeenCalled()
})
