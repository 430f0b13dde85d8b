// biome-ignore-all lint/a11y/useSemanticElements: its rows are grids, which those of a table element cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons and links in a row take the focus, not the row
'use client'

import type { User } from '../../../lib/contract/people/user.ts'
import { PersonLink } from '../../audit/entries/object-text.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { RowsTable } from '../../ui/rows/rows-table.tsx'
import { isLastAdmin } from './last-admin.ts'
import { roleWords } from './role-words.ts'
import { SamePersonNote } from './same-person.tsx'
import type { UserAct } from './user-act-dialog.tsx'

interface UserRowsProps {
  users: readonly User[]
  loading: boolean
  stale: boolean
  /** Whose page this is. */
  own: string
  lock: string | null
  onAct: (act: UserAct, user: User) => void
}

const heads = [
  ['Name', 'c-name'],
  ['Role', 'c-role'],
  ['State', 'c-state'],
  ['Signs in by', 'c-via'],
  ['Since', 'c-since'],
] as const

/** The people who may sign in. */
export function UserRows({ users, loading, stale, own, lock, onAct }: UserRowsProps) {
  return (
    <RowsTable
      label="Users"
      kind="people"
      heads={heads}
      lastHead="Actions"
      loading={loading}
      awaitedRows={3}
      stale={stale}
    >
      {users.map((user) => (
        <UserRow
          key={user.username}
          user={user}
          own={user.username === own}
          last={isLastAdmin(user, users)}
          lock={lock}
          onAct={onAct}
        />
      ))}
    </RowsTable>
  )
}

interface UserRowProps extends Pick<UserRowsProps, 'lock' | 'onAct'> {
  user: User
  own: boolean
  last: boolean
}

function UserRow({ user, own, last, lock, onAct }: UserRowProps) {
  const { username, role, disabled, via, createdAt } = user
  const who = <span className="vh"> {username}</span>
  const lastLock = last ? 'this is the last admin who can sign in' : null
  const sso = via === 'sso'
  return (
    <div role="row" data-tone={disabled ? 'off' : undefined}>
      <span role="cell" className="c-name cut">
        <PersonLink username={username} />
        {own && <span className="you">you</span>}
      </span>
      <span role="cell" className="c-role" title={roleWords[role]}>
        {role}
      </span>
      <span role="cell" className="c-state">
        {disabled ? (
          <span className="out">
            <Icon name="stale" />
            <span>disabled</span>
          </span>
        ) : (
          <span className="mut">enabled</span>
        )}
      </span>
      <span role="cell" className="c-via mut">
        {sso ? 'single sign-on' : 'password'}
        <SamePersonNote {...user} />
      </span>
      <span role="cell" className="c-since mut">
        <Instant at={createdAt} />
      </span>
      <span role="cell" className="deeds">
        <LockedButton
          className="btn sm"
          lock={lock ?? (sso ? 'single sign-on sets the role at every sign-in' : lastLock)}
          onClick={() => onAct('role', user)}
        >
          Change role…{who}
        </LockedButton>
        <LockedButton
          className="btn sm"
          lock={lock ?? (sso ? 'this user signs in by single sign-on and has no password here' : null)}
          onClick={() => onAct('password', user)}
        >
          New password…{who}
        </LockedButton>
        {disabled ? (
          <LockedButton className="btn sm" lock={lock} onClick={() => onAct('enable', user)}>
            Enable…{who}
          </LockedButton>
        ) : (
          <LockedButton className="btn sm" lock={lock ?? lastLock} onClick={() => onAct('disable', user)}>
            Disable…{who}
          </LockedButton>
        )}
      </span>
    </div>
  )
}
