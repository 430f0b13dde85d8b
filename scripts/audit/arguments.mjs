import { parseArgs } from 'node:util'
import { Failure } from '../terminal/failure.mjs'

export const AUDIT_HELP = `npm run audit: verifies, exports or repairs the audit log

Usage
  npm run audit -- verify [--from DAY] [--to DAY] [--anchors FILE]… [--key-file FILE]…
  npm run audit -- export [--from DAY] [--to DAY]
  npm run audit -- restart --reason TEXT
  npm run audit -- rekey --reason TEXT

  verify            recomputes every hash, link and position, and compares the anchors
  export            prints the entries of both chains, oldest first: one JSON object a
                    line. Those of one chain stay in its order, whatever clocks said
  restart           after the console raised its alarm: each damaged chain of the log
                    continues in a new bucket, and the console allows acts again.
                    First change the password of the writer's role, and save the
                    output of verify
  rekey             after the key was lost: the log continues with the console's new
                    key. Needs the schema role. Stop all consoles first
  --reason TEXT     the reason that the log records
  --from DAY        the first day, such as 2026-11-21; default: the first of the log
  --to DAY          the last day; default: the last of the log
  --anchors FILE    anchors to compare: lines of audit-anchors.jsonl, or of the
                    structured log; repeatable. Default: those in the data directory
  --key-file FILE   the key of the log; repeatable, for a log whose key was changed
  --help            this text

The key comes from --key-file; else from LEASEHOLD_AUDIT_KEY or LEASEHOLD_AUDIT_KEY_FILE;
else from the file audit-key in the data directory (.leasehold, or LEASEHOLD_DATA_DIR).
Exit code: 0 when the command succeeded; 1 when verify found a change; 2 when the command
could not do its work: wrong arguments, no key or the wrong one, no Cassandra.

It connects to CASSANDRA_CONTACT_POINTS if set, with the console's variables: CASSANDRA_LOCAL_DC,
_KEYSPACE, _USERNAME, _PASSWORD (or _PASSWORD_FILE), _SERIAL, _TLS_CA, _TLS_CERT and _TLS_KEY.
Else it connects to the Cassandra of npm start, which cassandra.json in the data directory names.

Examples
  npm run audit -- verify
  npm run audit -- verify --from 2026-11-01 --anchors /var/log/leasehold.log
  npm run -s audit -- export --from 2026-11-21 | jq 'select(.act == "release")'
`

/**
 * @typedef {{
 *   command: 'verify' | 'export' | 'restart' | 'rekey' | 'help', reason: string | undefined, from: string | undefined, to: string | undefined,
 *   anchors: string[], keyFiles: string[],
 * }} AuditArguments
 */

/** @param {string[]} args @returns {AuditArguments} */
export function readArguments(args) {
  const { values, positionals } = parse(args)
  const { from, to, reason, anchors = [], 'key-file': keyFiles = [] } = values
  const [command, ...others] = positionals
  if (values.help) return { command: 'help', reason, from, to, anchors, keyFiles }
  if (command === 'restart' || command === 'rekey') {
    if (reason === undefined || reason.trim() === '') throw wrong('--reason is missing')
    if (others.length > 0) throw wrong(`There is one argument too many, "${others[0]}"`)
    if (Object.keys(values).length > 1) throw wrong(`${command} takes --reason and no other option`)
    return { command, reason, from, to, anchors, keyFiles }
  }
  if (reason !== undefined) throw wrong('--reason is for restart and rekey')
  if (command !== 'verify' && command !== 'export')
    throw wrong(command === undefined ? 'A command is missing' : `There is no command "${command}"`)
  if (others.length > 0) throw wrong(`There is one argument too many, "${others[0]}"`)
  for (const [option, day] of Object.entries({ from, to }))
    if (day !== undefined && !isDay(day)) throw wrong(`--${option} is not a day such as 2026-11-21`)
  if (from !== undefined && to !== undefined && from > to) throw wrong('--from is after --to')
  if (command === 'export' && (anchors.length > 0 || keyFiles.length > 0))
    throw wrong('--anchors and --key-file are for verify')
  return { command, reason, from, to, anchors, keyFiles }
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        reason: { type: 'string' },
        anchors: { type: 'string', multiple: true },
        'key-file': { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw wrong(message.split('.')[0] ?? message)
  }
}

/** @param {string} text */
function isDay(text) {
  const time = new Date(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
  )
}

/** @param {string} what */
const wrong = (what) => new Failure(`${what}: see npm run audit -- --help.`, { exitCode: 2 })
