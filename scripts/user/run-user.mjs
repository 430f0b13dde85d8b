import { userInfo } from 'node:os'
import { importCompiled } from '../console/compile.mjs'
import { consoleEnvironment, embeddedNodeMissing } from '../console/environment.mjs'
import { Failure } from '../terminal/failure.mjs'
import { passwordFrom } from './password.mjs'

/** @typedef {{ username: string, role: string, disabled: boolean, via: string, createdAt: string }} User */

/** @param {import('./arguments.mjs').UserArguments} wanted */
export async function runUser({ act, username, role, password: from, subject, repair }) {
  const environment = consoleEnvironment()
  const { checkTyped, newSetupLink, runUserCommand } = await importCompiled('start/terminal/user-terminal')
  try {
    if (act === 'link') {
      process.stdout.write(`${await newSetupLink(environment)}\n`)
      return
    }
    // Only new names are checked: existing ones may look different, and Cassandra knows them.
    checkTyped({ username: act === 'add' ? username : undefined, role: role === '' ? undefined : role })
    const password = from === 'none' ? undefined : await passwordFrom(from, username)
    /** @type {User[]} */
    const users = await runUserCommand(environment, userInfo().username, {
      act,
      username,
      role,
      password,
      repair,
      subject,
    })
    if (act === 'list' || act === 'seal') for (const user of users) process.stdout.write(`${line(user)}\n`)
    else process.stderr.write(`${said(act, users[0] ?? { username, role })}\n`)
    // Alone on standard output, so that it can be redirected to a file.
    if (from === 'generated') process.stdout.write(`${password}\n`)
  } catch (error) {
    const missing = embeddedNodeMissing(error, environment)
    if (missing !== null) throw new Failure(missing, { cause: error })
    if (/** @type {Error} */ (error).name !== 'TerminalError') throw error
    const { message, isUsage } = /** @type {Error & { isUsage: boolean }} */ (error)
    throw new Failure(message, { cause: error, exitCode: isUsage ? 2 : 1 })
  }
}

/** @param {User} user */
const line = ({ username, role, disabled, via, createdAt }) =>
  [username, role, disabled ? 'disabled' : 'enabled', via, createdAt].join('\t')

/** @param {string} act @param {Pick<User, 'username' | 'role'>} user */
function said(act, { username, role }) {
  switch (act) {
    case 'add':
      return `${username} may sign in, as ${role}.`
    case 'passwd':
      return `${username} has a new password. All sessions of this user have ended.`
    case 'role':
      return `${username} is ${role} now.`
    case 'disable':
      return `${username} can no longer sign in. All sessions of this user have ended.`
    default:
      return `${username} may sign in again.`
  }
}
