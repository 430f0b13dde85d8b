import type { Routes } from '../../contract/routes.ts'
import type { Session } from '../../contract/session.ts'
import type { ConsoleContext } from '../context.ts'
import { endedCookie, sessionCookie } from '../cookie.ts'
import { firstUser } from '../first-user.ts'
import { HttpProblem } from '../http-problem.ts'
import type { Handler, Reply } from '../router.ts'

export const getSession: Handler<Routes['getSession']> = async ({ session }) => ({
  status: 200,
  body: session,
})

export const signIn: Handler<Routes['signIn']> = async ({ body: { username, password } }, context) => {
  const role = await context.users.verify(username, password)
  context.log.info({ act: 'sign-in', username, outcome: role === null ? 'refused' : 'ok' }, 'sign-in')
  // The same sentence for a name that does not exist.
  if (role === null) throw new HttpProblem('wrong-credentials', 'That name and password do not go together.')
  return signedIn({ username, role }, context)
}

export const signOut: Handler<Routes['signOut']> = async ({ sessionId }, { sessions, config }) => {
  if (sessionId !== null) await sessions.close(sessionId)
  return { status: 204, headers: { 'Set-Cookie': endedCookie(config.publicUrl) } }
}

export const setUp: Handler<Routes['setUp']> = async ({ body: { token, password } }, context) => {
  const { setupLink, users, log } = context
  if (!setupLink.accepts(token))
    throw new HttpProblem(
      'setup-link-invalid',
      'This link does not work: it was used, or the server was started again since and printed a new one.',
    )
  if (!(await users.create(firstUser, password, 'admin'))) {
    setupLink.revoke()
    throw new HttpProblem(
      'setup-link-invalid',
      `This link was used: the user ${firstUser} has a password. Sign in with it.`,
    )
  }
  setupLink.revoke()
  log.info({ act: 'set-up', username: firstUser }, 'first password set')
  return signedIn({ username: firstUser, role: 'admin' }, context)
}

async function signedIn(session: Session, { sessions, config }: ConsoleContext): Promise<Reply> {
  const id = await sessions.open(session.username)
  return { status: 200, body: session, headers: { 'Set-Cookie': sessionCookie(id, config.publicUrl) } }
}
