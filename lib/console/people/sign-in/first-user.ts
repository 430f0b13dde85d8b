import { serverActor } from '../../audit/actor.ts'
import { audited } from '../../audit/audited.ts'
import type { ConsoleContext } from '../../start/context.ts'

import { userVersion } from '../user-row.ts'

export const firstUser = 'admin'

/** @returns the one-time link to print, while there is no first user and LEASEHOLD_ADMIN_PASSWORD is not set */
export async function prepareFirstUser({
  config,
  users,
  setupLink,
  audit,
}: ConsoleContext): Promise<string | null> {
  if (await users.exists(firstUser)) return null
  const { adminPassword } = config
  if (adminPassword === undefined) return setupLink.issue()
  const on = { kind: 'user', username: firstUser } as const
  await audited(audit, { act: 'set-up', actor: serverActor, on, wanted: { role: 'admin' } }, async () => {
    const created = await users.create(firstUser, adminPassword, 'admin')
    // Another instance was first.
    if (created === null) return { after: null, result: undefined }
    return { after: { role: 'admin' }, result: undefined, rows: [userVersion(created)] }
  })
  return null
}
