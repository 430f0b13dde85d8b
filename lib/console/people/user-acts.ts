/**
 * Acts on users, over HTTP and at the terminal alike: they check permissions, write the audit log, and keep the rules
 * of lib/console/people/users.ts. A user who loses a permission is stopped at once: see open-requests.ts.
 */

import type { Role } from '../../contract/people/rights.ts'
import type { User } from '../../contract/people/user.ts'
import { routes } from '../../contract/routes.ts'
import { audited } from '../audit/audited.ts'
import type { Authority } from '../audit/authority.ts'
import { ActWindow, type BeforeSend } from '../http/act-window.ts'
import { afterAct } from '../http/after-act.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { RowVersion } from '../store/row-versions.ts'
import type { UserServices } from './people-services.ts'
import { type UserRow, userJson, userVersion } from './user-row.ts'

type Acts = Pick<UserServices, 'users' | 'audit' | 'clock'>

interface NewUser {
  username: string
  role: Role
  /** null: a person of single sign-on, of whom `subject` is known. */
  password: string | null
  subject?: string | undefined
  /** Although the row of an earlier user of this name was deleted past the console. */
  again?: boolean | undefined
}

/** @throws HttpProblem user-exists, user-deleted, no-effect */
export async function createUser(
  { users, audit, clock }: Acts,
  by: Authority,
  { username, password, role, subject, again }: NewUser,
): Promise<User> {
  by.permit(routes.createUser.permission)
  const { window = new ActWindow(clock) } = by
  const about = { act: 'user-create', actor: by.actor, on: on(username), wanted: { role } } as const
  return audited(audit, window, about, async ({ beforeSend }) => {
    const { username: creator } = by.actor
    const created =
      password === null
        ? await users.restoreSso({ username, role, subject: subject ?? '' }, creator, beforeSend)
        : await users.create(username, password, role, creator, { again, beforeSend })
    if (created === null)
      throw new HttpProblem(
        'user-exists',
        `The user ${username} exists already, in this or another case. Nothing was changed.`,
      )
    return { after: { role }, result: userJson(created), rows: [userVersion(created)] }
  })
}

/** @throws HttpProblem not-found, last-admin, role-elsewhere, no-effect */
export async function changeUser(
  { users, audit, clock }: Acts,
  by: Authority,
  username: string,
  wanted: { role?: Role | undefined; disabled?: boolean | undefined },
): Promise<User> {
  by.permit(routes.changeUser.permission)
  const { window = new ActWindow(clock) } = by
  const user = await users.find(username)
  if (user === null) throw notFound(username)
  // The recovery tells by the version that nothing was changed.
  const before = { role: user.role, disabled: user.disabled, userVersion: user.version }
  const about = { act: 'user-change', actor: by.actor, on: on(username), before, wanted } as const
  return audited(audit, window, about, async ({ beforeSend }) => {
    const changed = await users.change(username, wanted, by.actor.username, beforeSend)
    if (changed.kind === 'refused') throw refused(username, changed.refusal)
    const after = changed.kind === 'changed' ? changed.after : changed.user
    const done = `${username} is disabled. It is unknown whether sessions go on that the same person has under another name: disable ${username} again.`
    const endOthers = () => endOtherSessions(users, after, beforeSend)
    const others = changed.kind === 'changed' ? await afterAct(done, endOthers) : await endOthers()
    return {
      after: { role: after.role, disabled: after.disabled },
      result: userJson(after),
      rows: [userVersion(after), ...others],
    }
  })
}

/**
 * Of a person who is disabled: none is left under another name of the same person. An account that sign-ins do not use is
 * disabled alone.
 */
async function endOtherSessions(
  users: Acts['users'],
  { username, subject, disabled }: UserRow,
  beforeSend: BeforeSend,
): Promise<RowVersion[]> {
  if (subject === null || !disabled) return []
  const [used, ...others] = await users.ofSubject(subject)
  if (used?.username !== username) return []
  return (await Promise.all(others.map((other) => users.endSessions(other.username, beforeSend)))).flat()
}

function refused(username: string, refusal: 'not-found' | 'last-admin' | 'role-elsewhere'): HttpProblem {
  switch (refusal) {
    case 'not-found':
      return notFound(username)
    case 'last-admin':
      return new HttpProblem(
        'last-admin',
        `${username} is the last admin who can sign in with a password here. Make another user an admin first.`,
      )
    case 'role-elsewhere':
      return new HttpProblem(
        'role-elsewhere',
        `The sign-on provider sets the role of ${username} at each sign-in. Change the claim there, or disable ${username} here.`,
      )
  }
}

/** Gives a user a new password, and ends all sessions of the user. @throws HttpProblem not-found, no-password, no-effect */
export async function setPassword(
  { users, audit, clock }: Acts,
  by: Authority,
  username: string,
  password: string,
): Promise<void> {
  by.permit(routes.setPassword.permission)
  const { window = new ActWindow(clock) } = by
  if (!(await users.exists(username))) throw notFound(username)
  const about = { act: 'password', actor: by.actor, on: on(username) } as const
  await audited(audit, window, about, async ({ beforeSend }) => {
    const changed = await users.setPassword(username, password, { by: by.actor.username, beforeSend })
    if (changed.kind === 'refused')
      throw changed.refusal === 'not-found' ? notFound(username) : noPassword(username)
    const after = changed.kind === 'changed' ? changed.after : changed.user
    return { after: null, result: undefined, rows: [userVersion(after)] }
  })
}

export const noPassword = (username: string) =>
  new HttpProblem('no-password', `${username} signs in by single sign-on, and has no password here.`)

const notFound = (username: string) => new HttpProblem('not-found', `User ${username} not found.`)
const on = (username: string) => ({ kind: 'user', username }) as const
