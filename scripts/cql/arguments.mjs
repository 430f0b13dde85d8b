import { Failure } from '../terminal/failure.mjs'

export const CQL_HELP = `npm run cql: runs one CQL statement, on your cluster or on the Cassandra of npm start

Usage
  npm run cql -- [--serial] [--trace] [--keyspace NAME] "STATEMENT"

  --serial          reads at SERIAL: a SELECT of one partition sees every decided
                    conditional write. Cassandra reads any other SELECT at quorum
  --trace           prints Cassandra's trace, event by event, on stderr
  --keyspace NAME   default: the console's keyspace
  --help            this text

It prints one JSON object a row; 64-bit integers are strings, instants are ISO 8601.
Statements run at QUORUM; conditional writes have serial consistency SERIAL. With
CASSANDRA_SERIAL=LOCAL_SERIAL they run at LOCAL_QUORUM and LOCAL_SERIAL, as the console does.
Exit code: 0 when it succeeded; 1 when it failed; 2 when the arguments are wrong.

It connects to CASSANDRA_CONTACT_POINTS if set, with the console's variables: CASSANDRA_LOCAL_DC,
_KEYSPACE, _USERNAME, _PASSWORD (or _PASSWORD_FILE), _SERIAL, _TLS_CA, _TLS_CERT and _TLS_KEY.
Else it connects to the Cassandra of npm start, which .leasehold/cassandra.json names (set
LEASEHOLD_DATA_DIR for another directory). There it signs in as the superuser, who may do
everything. Write to lease tables with conditional statements (IF …) only.

Examples
  npm run cql -- "SELECT * FROM leases"
  npm run cql -- --serial "SELECT writetime(owner), value, owner FROM leases WHERE name = 'foo'"
  npm run cql -- "INSERT INTO leases (name, owner) VALUES ('foo', 'client_unique_id_1') IF NOT EXISTS"
  npm run -s cql -- "SELECT name FROM leases" | jq -r .name
`

/** @typedef {{ help: boolean, serial: boolean, trace: boolean, keyspace: string | undefined, statement: string }} CqlArguments */

/** @param {string[]} args @returns {CqlArguments} */
export function readArguments(args) {
  /** @type {CqlArguments} */
  const wanted = { help: false, serial: false, trace: false, keyspace: undefined, statement: '' }
  const statements = []
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    if (arg === '--help' || arg === '-h') wanted.help = true
    else if (arg === '--serial') wanted.serial = true
    else if (arg === '--trace') wanted.trace = true
    else if (arg === '--keyspace') {
      i += 1
      wanted.keyspace = args[i] ?? ''
    } else if (arg.startsWith('--') && !arg.includes(' ')) throw wrong(`There is no option "${arg}"`)
    else statements.push(arg)
  }
  if (wanted.help) return wanted
  if (wanted.keyspace === '') throw wrong('--keyspace needs a name')
  if (statements.length === 0) throw wrong('A statement is missing')
  if (statements.length > 1) throw wrong('There is more than one argument; put the statement in quotes')
  wanted.statement = (statements[0] ?? '').trim().replace(/;$/, '')
  if (wanted.serial && !/^select\b/i.test(wanted.statement)) {
    throw wrong('--serial is for SELECT; conditional writes are always serial')
  }
  return wanted
}

/** @param {string} what */
const wrong = (what) => new Failure(`${what}: see npm run cql -- --help.`, { exitCode: 2 })
