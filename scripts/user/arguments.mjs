import { Failure } from '../terminal/failure.mjs'

export const USER_HELP = `npm run user: the people who may sign in to the console

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

The password, 10 characters or more, is asked for twice unless one of these is given:
  --password-stdin   reads it from standard input
  --generate         makes one up and prints it, once

With a row that does not count, a command says what is wrong, and changes nothing:
  --repair           takes the row as it is and goes on; add makes a user again whose
                     row was deleted outside the console
  --subject          a person of single sign-on, who has no password; with --repair

  --help             this text

link prints a new one-time link for the first password, good for an hour, while there is
no user "admin" yet. seal makes the rows of users and tokens valid again after the audit
key was lost, as they are: look through the list that it prints, and through the tokens.

For administrators with a shell on the server; it needs no sign-in. It works on the
Cassandra of the console, found by .leasehold/cassandra.json (or LEASEHOLD_DATA_DIR),
or by CASSANDRA_CONTACT_POINTS and the other variables of the console. Run it where
the console runs, as the same user and with the same environment (under systemd:
docs/operations.md, "Commands beside the service"). Every change is written to the
audit log with the name of that user, and takes effect at once: the sessions of a
user who is disabled, or gets another password, end within 2 s.
The last admin can neither be disabled nor become anything else.

Exit code: 0; 1 when it failed; 2 when the arguments are wrong.

Examples
  npm run user -- add ann --role operator
  npm run -s user -- add deputy --role admin --generate > password
  npm run user -- passwd admin --password-stdin < password
`

const people = new Set(['add', 'passwd', 'role', 'disable', 'enable'])

/**
 * @typedef {{
 *   help: boolean, act: 'list' | 'link' | 'seal' | 'add' | 'passwd' | 'role' | 'disable' | 'enable', username: string, role: string,
 *   password: 'asked' | 'stdin' | 'generated' | 'none', subject?: string, repair: boolean,
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
      if (role === '') throw wrong('--role lacks a role')
    } else if (arg === '--subject') {
      i += 1
      subject = args[i] ?? ''
      if (subject === '') throw wrong('--subject lacks a subject')
    } else if (arg === '--repair') repair = true
    else if (arg === '--password-stdin' || arg === '--generate') {
      if (password !== undefined) throw wrong('--password-stdin and --generate exclude each other')
      password = arg === '--generate' ? 'generated' : 'stdin'
    } else if (arg.startsWith('--')) throw wrong(`There is no option "${arg}"`)
    else words.push(arg)
  }
  const [act = '', username = ''] = words
  const isAlone = act === 'list' || act === 'link' || act === 'seal'
  const wordsMost = isAlone ? 1 : act === 'role' ? 3 : 2
  if (!isAlone && !people.has(act)) throw wrong(`There is no command "${act}"`)
  if (!isAlone && username === '') throw wrong(`${act} lacks a name`)
  if (words.length > wordsMost) throw wrong(`"${words[wordsMost]}" is too much`)
  if (act === 'role') role = words[2] ?? role
  if ((act === 'add' || act === 'role') && role === '') throw wrong(`${act} lacks a role`)
  if (act !== 'add' && act !== 'role' && role !== '') throw wrong(`${act} takes no role`)
  if (repair && isAlone) throw wrong(`${act} takes no --repair`)
  if (subject !== undefined && (act !== 'add' || !repair))
    throw wrong('--subject goes with add and --repair alone')
  const takesPassword = (act === 'add' && subject === undefined) || act === 'passwd'
  if (!takesPassword && password !== undefined) throw wrong(`${act} takes no password`)
  return {
    help: false,
    act: /** @type {UserArguments['act']} */ (act),
    username,
    role,
    password: takesPassword ? (password ?? 'asked') : 'none',
    ...(subject !== undefined && { subject }),
    repair,
  }
}

/** @param {string} what */
const wrong = (what) => new Failure(`${what}: see npm run user -- --help.`, { exitCode: 2 })
