'use client'

import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { settingsRhythmMs, usersQuery } from '../../../lib/client/call/queries.ts'
import { countText } from '../../../lib/client/time/time-text.ts'
import type { User } from '../../../lib/contract/people/user.ts'
import { useUrlState } from '../../leases/address/use-url-state.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { useLockReason, useLost } from '../../shell/truth/use-connection.ts'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { NotRead } from '../../ui/control/not-read.tsx'
import { Age } from '../../ui/text/age.tsx'
import { SettingsHead } from '../settings-head.tsx'
import { AddUserDialog } from './add-user-dialog.tsx'
import { SamePersonAlarms } from './same-person.tsx'
import { type UserAct, UserActDialog, userActs } from './user-act-dialog.tsx'
import { UserRows } from './user-rows.tsx'

/** The people who may sign in, and what may be done to them. The open dialog stands in the URL. */
export function UsersPage() {
  const { params, change } = useUrlState()
  const session = useSession()
  const query = useQuery(usersQuery)
  const lost = useLost()
  const lock = useLockReason() ?? (query.isError ? 'the users could not be read' : null)
  const users = (query.data?.data.users ?? []).toSorted((a, b) => (a.username < b.username ? -1 : 1))
  const close = useCallback(() => change({ add: undefined, do: undefined, user: undefined }), [change])
  const act = userActs.find((each) => each === params.get('do'))
  const user = users.find(({ username }) => username === params.get('user'))
  // A new password is shown: going back changes the URL, and must not take the password away.
  const [held, setHeld] = useState<{ act: UserAct; user: User } | null>(null)
  const wanted = act !== undefined && user !== undefined ? { act, user } : held
  return (
    <>
      <SettingsHead section="users">
        <LockedButton className="btn" icon="plus" lock={lock} onClick={() => change({ add: '1' })}>
          Add a user
        </LockedButton>
      </SettingsHead>
      {query.isError && lost === null && (
        <NotRead
          error={query.error}
          what="The list of users"
          shown={query.data !== undefined}
          rhythmMs={settingsRhythmMs}
        />
      )}
      <SamePersonAlarms users={users} />
      {(query.data !== undefined || !query.isError) && (
        <UserRows
          users={users}
          loading={query.data === undefined}
          stale={lost !== null || query.isError}
          own={session.username}
          lock={lock}
          onAct={(act, { username }) => change({ do: act, user: username })}
        />
      )}
      {query.data && (
        <div className="foot">
          <span>
            {countText(users.length)} {users.length === 1 ? 'user' : 'users'}, read{' '}
            <Age sinceMs={query.data.arrivedAtMs} after=" ago" whole />. Changes take effect at once, and are
            recorded in the audit log.
          </span>
        </div>
      )}
      <AddUserDialog open={params.has('add')} onClose={close} lock={lock} />
      {wanted !== null && (
        <UserActDialog
          key={`${wanted.act} ${wanted.user.username}`}
          act={wanted.act}
          user={wanted.user}
          own={wanted.user.username === session.username}
          lock={lock}
          onClose={close}
          onHold={(on) => setHeld(on ? wanted : null)}
        />
      )}
    </>
  )
}
