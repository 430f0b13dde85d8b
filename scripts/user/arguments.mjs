import { Failure } from '../terminal/failure.mjs'

export const USER_HELP = `npm run user: manages the people who may sign in to the console

Usage
  npm run user -- list
  npm run user -- add NAME --role viewer|operator|admin [--password-stdin | --generate]
  npm run user -- add NAME --role ROLE --subject "ISSUER SUBJECT" --repair
  npm run user -- passwd NAME [--password-stdin | --generate]
  npm run user -- role NAME viewer|operator|admin
  npm run user -- disable NAME
  npm run user -- enable NAME
  npm run user -- link
  npm run user -- seal

  list      prints all users
  add       adds a user
  passwd    sets a new password
  role      changes the role; the last admin keeps theirs
  disable   ends the user's sessions and refuses new ones; the last admin stays enabled
  enable    lets a disabled user sign in again
  link      prints a new one-time link for the first password, good for an hour, as long
            as there is no user "admin"
  seal      after the audit key was lost: seals the rows of users and tokens as they are,
            and prints the users. Check that list, and the tokens, for forged rows

  --password-stdin   reads the password (10 characters or more) from standard input: one line
  --generate         makes a password and prints it, once; without either option, the
                     command asks for the password twice
  --repair           for a user whose row was changed or deleted outside the console.
                     Without it, the command says what is wrong and changes nothing.
                     With it, the row is accepted as it is; add makes a deleted user again.
                     A row with a timestamp in the future is written with a later one
  --subject          with add --repair: a person of single sign-on, who has no password
  --help             this text

It is for administrators with a shell on the server, and needs no sign-in. Run it where
the console runs, as the same system user and with the same environment (under systemd:
docs/operations.md, "Commands beside the service"). It connects to
CASSANDRA_CONTACT_POINTS if set, else to the Cassandra of npm start, which cassandra.json
in the data directory names (.leasehold, or LEASEHOLD_DATA_DIR).
The audit log records every change under the name of the system user. A change takes
effect at once; sessions of a user who is disabled or gets a new password end within 2 s.

Exit code: 0 when it succeeded; 1 when it failed; 2 when the arguments are wrong.

Examples
  npm run user -- add ann --role operator
  npm run -s user -- add deputy --role admin --generate > password
  npm run user -- passwd admin --password-stdin < password
`

const people = new Set(['add', 'passwd', 'role', 'disable', 'enable'])
const roles = new Set(['viewer', 'operator', 'admin'])

/**
 * @typedef {{
 *   help: boolean, act: 'list' | 'link' | 'seal' | 'add' | 'passwd' | 'role' | 'disable' | 'enable', username: string, role: string,
 *   password: 'asked' | 'stdin' | 'generated' | 'none', subject?: string | undefined, repair: boolean,
 * }} UserArguments
 */

/** @param {string[]} args @returns {UserArguments} */
export function readArguments(args) {
  if (args.length === 0 || args.includes('--help') || args.includes('-h'))
    return { help: true, act: 'list', username: '', role: '', password: 'none', repair: false }
  /** @type {string[]} */
  const words = []
  let role = ''
  /** @type {UserArguments['password'] | undefined} */
  let password
  /** @type {string | undefined} */
  let subject
  let repair = false
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    if (arg === '--role') {
      i += 1
      role = args[i] ?? ''
      if (role === '') throw wrong('--role needs a role')
    } else if (arg === '--subject') {
      i += 1
      subject = args[i] ?? ''
      if (subject === '') throw wrong('--subject needs "ISSUER SUBJECT"')
    } else if (arg === '--repair') repair = true
    else if (arg === '--password-stdin' || arg === '--generate') {
      if (password !== undefined) throw wrong('--password-stdin and --generate cannot be combined')
      password = arg === '--generate' ? 'generated' : 'stdin'
    } else if (arg.startsWith('--')) throw wrong(`There is no option "${arg}"`)
    else words.push(arg)
  }
  const [act = '', username = ''] = words
  const isAlone = act === 'list' || act === 'link' || act === 'seal'
  const wordsMost = isAlone ? 1 : act === 'role' ? 3 : 2
  if (!isAlone && !people.has(act)) throw wrong(`There is no command "${act}"`)
  if (!isAlone && username === '') throw wrong(`${act} needs a NAME`)
  if (words.length > wordsMost) throw wrong(`There is one argument too many, "${words[wordsMost]}"`)
  if (act === 'role') role = words[2] ?? role
  if ((act === 'add' || act === 'role') && role === '') throw wrong(`${act} needs a role`)
  if (act !== 'add' && act !== 'role' && role !== '') throw wrong(`${act} takes no role`)
  if (role !== '' && !roles.has(role)) throw wrong('The role is viewer, operator or admin')
  if (repair && isAlone) throw wrong(`${act} takes no --repair`)
  if (subject !== undefined && (act !== 'add' || !repair)) throw wrong('--subject needs add and --repair')
  const takesPassword = (act === 'add' && subject === undefined) || act === 'passwd'
  if (!takesPassword && password !== undefined) throw wrong(`${act} takes no password`)
  return {
    help: false,
    act: /** @type {UserArguments['act']} */ (act),
    username,
    role,
    password: takesPassword ? (password ?? 'asked') : 'none',
    subject,
    repair,
  }
}

/** @param {string} what */
const wrong = (what) => new Failure(`${what}: see npm run user -- --help.`, { exitCode: 2 })
