import { Failure } from '../terminal/failure.mjs'

/** The senders of requests: `anonymous` has no identity; people have a role, programs a token. */
export const ROLES = /** @type {const} */ ([
  'anonymous',
  'viewer',
  'operator',
  'admin',
  'elevated',
  'viewer-token',
  'client-token',
  'scoped-token',
])

export const FUZZ_HELP = `npm run fuzz: sends requests that Schemathesis generates from /v1/openapi.json

Usage
  npm run fuzz                            20,000 requests or more, from all roles
  npm run fuzz -- --requests N            about N requests
  npm run fuzz -- --role ROLE[,ROLE…]     ${ROLES.slice(0, 5).join(', ')},
                                          ${ROLES.slice(5).join(', ')}
  npm run fuzz -- --route ID[,ID…]        only these operations, such as putLock
  npm run fuzz -- --seed N                repeats a run; default: a random seed
  npm run fuzz -- --help                  this text

It fails when
  - an answer has a status of 500 or above;
  - an answer has a status, header, content type or body that the document does not declare;
  - the console accepts a request that breaks the document;
  - the console answers a method that the document does not declare with anything but 405.

It needs Python 3.10 or newer with venv. It starts a Cassandra node and a console of its
own in .leasehold-fuzz/, and installs Schemathesis there. Logs: .leasehold-fuzz/logs/.
`

/** @typedef {typeof ROLES[number]} Role */
/** @typedef {{ help: boolean, requests: number, roles: Role[], routes: string[], seed: number }} FuzzArguments */

/** @param {string[]} args @returns {FuzzArguments} */
export function readArguments(args) {
  /** @type {FuzzArguments} */
  const wanted = {
    help: false,
    requests: 20_000,
    roles: [...ROLES],
    routes: [],
    seed: Math.floor(Math.random() * 1_000_000),
  }
  for (let i = 0; i < args.length; i += 1) {
    const name = args[i] ?? ''
    if (name === '--help' || name === '-h') return { ...wanted, help: true }
    if (!['--requests', '--role', '--route', '--seed'].includes(name))
      throw wrong(`npm run fuzz knows no argument "${name}"`)
    const value = args[++i] ?? ''
    if (name === '--route') wanted.routes = value.split(',')
    else if (name === '--role') wanted.roles = value.split(',').map(roleOf)
    else wanted[name === '--seed' ? 'seed' : 'requests'] = numberOf(name, value)
  }
  return wanted
}

/** @param {string} text @returns {Role} */
function roleOf(text) {
  const role = ROLES.find((it) => it === text)
  if (role === undefined) throw wrong(`There is no role "${text}"`)
  return role
}

/** @param {string} name @param {string} text */
function numberOf(name, text) {
  if (!/^[0-9]{1,7}$/.test(text)) throw wrong(`${name} needs a number`)
  return Number(text)
}

/** @param {string} what */
const wrong = (what) => new Failure(`${what}: see npm run fuzz -- --help.`, { exitCode: 2 })
