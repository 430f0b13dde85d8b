import { parseArgs } from 'node:util'
import { Failure } from '../terminal/failure.mjs'

export const AUDIT_HELP = `npm run audit: verifies the audit log, writes it out, or restarts it

Usage
  npm run audit -- verify [--from DAY] [--to DAY] [--anchors FILE]… [--key-file FILE]…
  npm run audit -- export [--from DAY] [--to DAY]
  npm run audit -- restart --reason TEXT
  npm run audit -- rekey --reason TEXT

  verify            recomputes every hash, link and place, and compares the anchors
  export            one entry a line, as JSON, on stdout, oldest first
  restart           after the console has raised the alarm: the log goes on in a new
                    bucket, and acts are possible again. Change the password of the
                    writer's role first, and keep what verify says
  rekey             after the key was lost, with the console's new key: the log goes on
                    with it. Needs the schema role, and all consoles stopped
  --reason TEXT     why, for the log
  --from DAY        the first day, such as 2026-11-21; default: from the beginning
  --to DAY          the last day; default: to the end
  --anchors FILE    anchors to compare: lines of audit-anchors.jsonl, or of the
                    structured log; may be given again. Default: those in the
                    data directory
  --key-file FILE   the key of the log; may be given again, where it was changed
  --help            this text

The key is that of --key-file, else of LEASEHOLD_AUDIT_KEY or LEASEHOLD_AUDIT_KEY_FILE,
else audit-key in the data directory (.leasehold, or LEASEHOLD_DATA_DIR).
Exit code: 0 when all is well; 1 when anything was changed; 2 when that could not be
found out, or not be done: wrong arguments, no key or the wrong one, no Cassandra.

The node is found by .leasehold/cassandra.json (or LEASEHOLD_DATA_DIR), or by
CASSANDRA_CONTACT_POINTS, _LOCAL_DC, _KEYSPACE, _USERNAME, _PASSWORD.

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
    if (others.length > 0) throw wrong(`"${others[0]}" is too much`)
    if (Object.keys(values).length > 1) throw wrong(`--reason alone is for ${command}`)
    return { command, reason, from, to, anchors, keyFiles }
  }
  if (reason !== undefined) throw wrong('--reason is for restart and rekey')
  if (command !== 'verify' && command !== 'export')
    throw wrong(command === undefined ? 'Say verify or export' : `There is no command "${command}"`)
  if (others.length > 0) throw wrong(`"${others[0]}" is too much`)
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
