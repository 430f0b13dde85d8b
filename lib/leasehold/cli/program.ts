/** The command line: what there is, and how it is explained. */
import { Command, Option } from 'commander'
import { durationMs, durationSeconds } from './durations.ts'
import { exitWords } from './exit-codes.ts'
import type { Io } from './io.ts'
import { type RunOptions, run } from './run.ts'

type Done = (code: number) => void

const sources = `
Connection: --server, or --contact-points; else LEASEHOLD_SERVER, or CASSANDRA_CONTACT_POINTS; else the embedded node
of \`npm start\` ($LEASEHOLD_DATA_DIR/cassandra.json, by default .leasehold/cassandra.json).
Secrets are never options, because everybody on the machine sees a command line:
  CASSANDRA_PASSWORD or CASSANDRA_PASSWORD_FILE, LEASEHOLD_API_TOKEN or LEASEHOLD_API_TOKEN_FILE
TLS: CASSANDRA_TLS_CA, CASSANDRA_TLS_CERT, CASSANDRA_TLS_KEY (files; verification is always on).
Also: CASSANDRA_LOCAL_DC, CASSANDRA_KEYSPACE, CASSANDRA_USERNAME, CASSANDRA_SERIAL, NO_COLOR, LEASEHOLD_DEBUG.`

/** The exit codes of one command, from the one table. */
const exits = (codes: readonly number[], more = ''): string =>
  `\nExit codes:\n${codes.map((code) => `  ${String(code).padEnd(6)} ${exitWords[code]}`).join('\n')}${more}\n`

const everywhere = [64, 122, 123, 124, 125]

function withConnection(command: Command): Command {
  return command
    .optionsGroup('Connection:')
    .option('--contact-points <hosts>', 'nodes of Cassandra, host[:port], separated by commas')
    .option('--dc <name>', 'the local data centre (datacenter1)')
    .option('--keyspace <name>', 'the keyspace (leasehold)')
    .option('--username <name>', 'who to sign in as')
    .option('--server <url>', 'a Leasehold server, instead of Cassandra itself')
    .option('--table <name>', 'another table than leases')
    .option('--name-column <name>', 'what its key column is called (name)')
    .option('--owner-column <name>', 'what its owner column is called (owner)')
    .option('--value-column <name>', 'what its value column is called (value; another table has none)')
}

const ttl = () =>
  new Option('--ttl <seconds>', 'how long the lease lives without a renewal, 6 s or more')
    .argParser(durationSeconds)
    .default(30, '30')
const grace = () =>
  new Option(
    '--grace <duration>',
    'between SIGTERM and SIGKILL when the lease is lost (5, less with a short TTL)',
  ).argParser(durationMs)
const skew = () =>
  new Option(
    '--max-clock-skew <duration>',
    'the largest difference between any two clocks (500ms)',
  ).argParser(durationMs)

export function program(io: Io, done: Done): Command {
  const root = new Command('leasehold')
    .description('Leases, locks and elections on Apache Cassandra.')
    .showHelpAfterError('(add --help for what there is)')
  // Before the commands are made: they inherit it.
  root
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })

  withConnection(
    root
      .command('run')
      .summary('run a command while a lease is held')
      .description(
        'Runs a command while a lease is held. When the lease is lost, or cannot be renewed any more, the command is stopped before the deadline: it is gone before anybody else can hold the lease.',
      )
      .argument('<name>', 'the lease')
      .argument('<command...>', 'the command and its arguments, after --')
      .addOption(ttl())
      .addOption(
        new Option('--wait <duration>', 'how long to wait for a holder to go; 0: one try')
          .argParser(durationMs)
          .default(60_000, '60'),
      )
      .option('--value <text>', 'anything for others to read')
      .addOption(grace())
      .addOption(skew()),
  )
    .addHelpText(
      'after',
      `
The command finds LEASEHOLD_NAME, LEASEHOLD_OWNER, LEASEHOLD_TTL_SECONDS and LEASEHOLD_TOKEN (the fencing token, which grows
from holder to holder) in its environment. It runs in a session of its own: signals to leasehold are forwarded to it,
and what it leaves running in the background is ended with it. A process that begins another session (setsid) escapes.

Examples:
  leasehold run billing/invoices -- ./invoices.sh --month 2026-11
  leasehold run --wait 0 nightly/backup -- sh -c 'pg_dump shop > /backup/shop.sql'
  leasehold run --ttl 60 --grace 15 --value "$(hostname)" reindex -- node reindex.js
${exits([120, 121, ...everywhere, 126, 127], "\n  128+n  signal n ended the command\n  others are the command's own")}${sources}`,
    )
    .action(async (name: string, command: string[], options: RunOptions) =>
      done(await run(io, name, command, options)),
    )
  return root
}
