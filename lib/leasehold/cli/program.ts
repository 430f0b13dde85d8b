/** The command line: its commands, its options, and their help. */
import { Command, Option } from 'commander'
import { defaultTtlSeconds } from '../lease/index.ts'
import { maxBlock } from '../sequence/index.ts'
import { type DoctorOptions, doctor } from './commands/doctor.ts'
import { type ElectOptions, elect } from './commands/elect.ts'
import { type LsOptions, ls } from './commands/ls.ts'
import { get, next, release } from './commands/one-lease.ts'
import { type RunOptions, run } from './commands/run.ts'
import { type ConnectionOptions, secretVariables } from './connection/connection.ts'
import { durationMs, durationSeconds, wholeNumber } from './durations.ts'
import { type HistoryOptions, history } from './history/history.ts'
import { packageVersion } from './package-version.ts'
import { exitWords } from './process/exit-codes.ts'
import type { Io } from './process/io.ts'

type Done = (code: number) => void

const sources = `
Connection: --server or --contact-points; else LEASEHOLD_SERVER or CASSANDRA_CONTACT_POINTS; else the embedded node
of \`npm start\` ($LEASEHOLD_DATA_DIR/cassandra.json, by default .leasehold/cassandra.json).
All users of the machine see a command line. Put secrets into variables or files:
  CASSANDRA_PASSWORD or CASSANDRA_PASSWORD_FILE, LEASEHOLD_API_TOKEN or LEASEHOLD_API_TOKEN_FILE
TLS: CASSANDRA_TLS_CA, CASSANDRA_TLS_CERT, CASSANDRA_TLS_KEY (files; verification is always on).
Also: CASSANDRA_LOCAL_DC, CASSANDRA_KEYSPACE, CASSANDRA_USERNAME, CASSANDRA_SERIAL, CASSANDRA_PAXOS_VARIANT, NO_COLOR,
LEASEHOLD_DEBUG.`

/** The exit codes of one command, from the one table. */
const exits = (codes: readonly number[], more = ''): string =>
  `\nExit codes:\n${[...codes]
    .sort((a, b) => a - b)
    .map((code) => `  ${String(code).padEnd(6)} ${exitWords[code]}`)
    .join('\n')}${more}\n`

const everywhere = [64, 122, 123, 124, 125]
const printing = [...everywhere, 141]

function withConnection(command: Command): Command {
  return command
    .optionsGroup('Connection:')
    .option('--contact-points <hosts>', 'nodes of Cassandra, host[:port], separated by commas')
    .option('--dc <name>', 'the local data centre (datacenter1)')
    .option('--keyspace <name>', 'the keyspace (leasehold)')
    .option('--username <name>', 'the role to sign in as')
    .option('--server <url>', 'a Leasehold server, instead of Cassandra itself')
    .option('--token <token>', 'for the server; better in LEASEHOLD_API_TOKEN, or in a file')
    .option('--table <name>', 'another table than leases')
    .option('--name-column <name>', 'its key column (name)')
    .option('--owner-column <name>', 'its owner column (owner)')
    .option('--value-column <name>', 'its value column (value; another table has none)')
    .option(
      '--paxos-variant <variant>',
      "v1 or v2: the cluster's paxos_variant, if it cannot be read: behind a server, or by this role (v1)",
    )
}

const ttl = () =>
  new Option('--ttl <seconds>', 'how long the lease lives without a renewal, 6 s or more; 11 under Paxos v1')
    .argParser(durationSeconds)
    .default(defaultTtlSeconds, String(defaultTtlSeconds))
const fair = () =>
  new Option('--fair', 'wait in the order of arrival, and pass no waiter; needs the table lock_tickets')
const grace = () =>
  new Option(
    '--grace <duration>',
    'time between SIGTERM and SIGKILL when the lease is lost (5, less with a short TTL)',
  ).argParser(durationMs)
const keepCredentials = () =>
  new Option(
    '--keep-credentials',
    'leave the credentials of leasehold and its console in the environment of the command: for one that calls leasehold, or signs in to Cassandra with them',
  )
const skew = () =>
  new Option(
    '--max-clock-skew <duration>',
    'the most by which the clocks of two nodes differ, and this one drifts over a TTL, together (500ms)',
  ).argParser(durationMs)

const environmentText = `The command inherits all other variables of leasehold. Without --keep-credentials these are removed, and their _FILE:
${secretVariables.slice(0, 4).join(', ')},
${secretVariables.slice(4).join(', ')};
and CASSANDRA_TLS_KEY.`

const historyText = `leasehold writes no history of what it holds: \`leasehold history\` shows what the recorder of a console saw. Margins of renewals and
the reason of a loss are then not known, and a lease that is acquired and released between two reads of the recorder leaves no trace.`

export function program(io: Io, done: Done): Command {
  const root = new Command('leasehold')
    .version(packageVersion(), '-V, --version', 'show the version')
    .description('Leases, locks and elections on Apache Cassandra.')
    .showHelpAfterError('(add --help for commands and options)')
  // Before the commands are added: they inherit it.
  root
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })

  withConnection(
    root
      .command('run')
      .summary('run a command while a lease is held')
      .description(
        'Acquires a lease, runs a command while it holds the lease, and releases it. If the lease is lost or can no longer be renewed, leasehold stops the command before the deadline, and so before there can be another holder. While it waits for longer than a second, it says on stderr for whom. If an operator asks the holder to resign, leasehold stops the command too, and then releases the lease.',
      )
      .argument('<name>', 'the lease')
      .argument('<command...>', 'the command and its arguments, after --')
      .addOption(ttl())
      .addOption(
        new Option('--wait <duration>', 'how long to wait for the holder; 0: one try')
          .argParser(durationMs)
          .default(60_000, '60'),
      )
      .addOption(fair())
      .option('--value <text>', 'any text, shown with the lease')
      .addOption(grace())
      .addOption(keepCredentials())
      .addOption(skew()),
  )
    .addHelpText(
      'after',
      `
The command's environment has LEASEHOLD_NAME, LEASEHOLD_OWNER, LEASEHOLD_TTL_SECONDS, LEASEHOLD_TOKEN (the fencing token,
which grows from holder to holder) and LEASEHOLD_RUN (an id by which leasehold finds the command if its watchdog dies before
it has reported the command). The command runs in a session of its own: leasehold forwards signals to it, and ends its
background processes with it. A process that begins another session (setsid) escapes.

${environmentText}

${historyText}

Examples:
  leasehold run billing/invoices -- ./invoices.sh --month 2026-11
  leasehold run --wait 0 nightly/backup -- sh -c 'pg_dump shop > /backup/shop.sql'
  leasehold run --ttl 60 --grace 15 --value "$(hostname)" reindex -- node reindex.js
${exits([120, 121, ...everywhere, 126, 127], "\n  128+n  signal n ended the command\n  others are the command's own")}${sources}`,
    )
    .action(async (name: string, command: string[], options: RunOptions) =>
      done(await run(io, name, command, options)),
    )

  withConnection(
    root
      .command('elect')
      .summary('campaign, and run a command while leading')
      .description(
        'Campaigns for a group, and runs a command while it leads. With a command it ends after a loss, such as an outage that is longer than the TTL, with exit code 121, and does not campaign again: let a supervisor start it again. Without a command it prints events, campaigns again after a loss, and resigns when it is interrupted, or when its output cannot be written any more. If an operator asks the leader to resign, leasehold stops the command, and then resigns; without a command, it campaigns again once another candidate has led, or one TTL later.',
      )
      .argument('<group>', 'the group')
      .argument('[command...]', 'the command and its arguments, after --')
      .addOption(ttl())
      .addOption(
        new Option('--wait <duration>', 'how long to wait for the present leader (for ever)').argParser(
          durationMs,
        ),
      )
      .addOption(fair())
      .option('--value <text>', 'the value that the leader shows, such as its address')
      .addOption(grace())
      .addOption(keepCredentials())
      .addOption(skew())
      .option('--observe', 'do not campaign: print leaders and vacancies')
      .option('--no-terms', 'count no terms: for a keyspace without the table election_terms')
      .option('--json', 'one JSON object a line'),
  )
    .addHelpText(
      'after',
      `
The command's environment has LEASEHOLD_TERM, and the variables of \`leasehold run\`.

${environmentText}

${historyText}

Examples:
  leasehold elect billing/leader --value http://10.0.0.7:8080 -- ./serve.sh
  leasehold elect billing/leader --observe --json
${exits([0, 120, 121, ...printing, 126, 127], "\n  128+n  signal n ended the command\n  others are the command's own")}${sources}`,
    )
    .action(async (group: string, command: string[], options: ElectOptions) =>
      done(await elect(io, group, command, options)),
    )

  withConnection(
    root
      .command('ls')
      .summary('list leases: their holders, and the time they have left')
      .description(
        "Lists leases by name, each one confirmed by a SERIAL read. On Cassandra itself it lists every row of the table, the console's own leases (leasehold/…) too; a server lists those only where the prefix has the word leasehold, and those of its canary only where it begins with leasehold/canary/. A zombie is a row whose owner has expired and whose value has not. Long texts are cut to the width of the terminal, or to 64 characters a column where there is none; --json has the whole.",
      )
      .argument('[prefix]', 'only names that begin with this', '')
      .option('--watch', 'keep watching: a table on a terminal, else a line for each change')
      .addOption(
        new Option('--limit <count>', 'how many at most').argParser(wholeNumber(1, 100_000)).default(1_000),
      )
      .option('--json', 'one JSON object a line'),
  )
    .addHelpText(
      'after',
      `
Examples:
  leasehold ls billing/
  leasehold ls --watch
  leasehold ls --json | jq -r 'select(.remainingMs < 5000) | .name'
${exits([0, ...printing])}${sources}`,
    )
    .action(async (prefix: string, options: LsOptions) => done(await ls(io, prefix, options)))

  withConnection(
    root
      .command('get')
      .summary('show one lease')
      .description(
        'Shows one lease, by a SERIAL read. Of a lease that an operator broke it shows who broke it, as far as the row says, and when it is safe: no process can acquire it before, so that the exit code is 0. Of a zombie, a row whose owner has expired and whose value has not, it says who can acquire it; the exit code is 1.',
      )
      .argument('<name>', 'the lease')
      .option('--json', 'a JSON object; null when there is no row; of a zombie, its owner is null'),
  )
    .addHelpText(
      'after',
      `
Example:
  leasehold get billing/invoices; case $? in 0) echo held;; 1) echo free;; *) echo unknown;; esac
${exits([0, 1, ...printing])}${sources}`,
    )
    .action(async (name: string, options: ConnectionOptions) => done(await get(io, name, options)))

  withConnection(
    root
      .command('history')
      .summary('show what happened to one lease')
      .description(
        'Shows what happened to one lease, newest first: what the recorder of a console saw, and what holders with recordEvents wrote; `leasehold run` and `elect` write nothing. A server also says which times were not observed.',
      )
      .argument('<name>', 'the lease')
      .addOption(
        new Option('--since <duration>', 'how far back').argParser(durationMs).default(86_400_000, '24h'),
      )
      .addOption(
        new Option('--limit <count>', 'how many at most').argParser(wholeNumber(1, 100_000)).default(100),
      )
      .option('--renewals', 'the renewals too, by the minute')
      .option('--json', 'one JSON object a line'),
  )
    .addHelpText(
      'after',
      `
Examples:
  leasehold history billing/leader
  leasehold history billing/leader --since 1h --json | jq -r 'select(.kind == "lost") | .reason'
${exits([0, 1, ...printing])}${sources}`,
    )
    .action(async (name: string, options: HistoryOptions) => done(await history(io, name, options)))

  withConnection(
    root
      .command('release')
      .summary('release a lease on behalf of its owner')
      .description(
        'Releases a lease if, and only if, the given owner holds it. A command that still runs under the lease notices at its next renewal. Until then, the next holder may run at the same time. A release that has no effect, because another client dated the row ahead of the clocks, exits with 124.',
      )
      .argument('<name>', 'the lease')
      .requiredOption('--owner <owner>', 'the owner, as `leasehold get` shows it'),
  )
    .addHelpText(
      'after',
      `
Example:
  leasehold release billing/invoices --owner web-3:4711:0f3a9b2c1d4e:1
${exits([0, 1, 120, ...printing])}${sources}`,
    )
    .action(async (name: string, options: ConnectionOptions & { owner: string }) =>
      done(await release(io, name, options)),
    )

  withConnection(
    root
      .command('next')
      .summary('take unique numbers')
      .description(
        'Prints the next numbers of a sequence, one a line. No other caller gets the same number; there may be gaps.',
      )
      .argument('<name>', 'the sequence')
      .addOption(new Option('--count <n>', 'how many').argParser(wholeNumber(1, maxBlock)).default(1))
      .option('--json', 'the first and the last, as a JSON object'),
  )
    .addHelpText(
      'after',
      `
Example:
  invoice=$(leasehold next invoices)
${exits([0, ...printing])}${sources}`,
    )
    .action(async (name: string, options: ConnectionOptions & { count: number }) =>
      done(await next(io, name, options)),
    )

  withConnection(
    root
      .command('doctor')
      .summary('examine the cluster and a table, and try the table')
      .description(
        'Examines what leases depend on: replication, Paxos, clocks, the settings of the table. Then a canary tries the table with leases of its own, which takes some seconds: it acquires a fresh name twice, renews it, releases it, and lets it expire. Each finding is ok, warn, fail or unknown, with what to do.',
      )
      .option('--no-canary', 'write nothing: examine only')
      .addOption(skew())
      .option('--json', 'one JSON object: the worst verdict, and the findings'),
  )
    .addHelpText(
      'after',
      `
The role needs SELECT and MODIFY on the table for the canary, and SELECT on KEYSPACE system_views for paxos_variant.

Examples:
  leasehold doctor
  leasehold doctor --table jobs --name-column job --owner-column holder --no-canary
  leasehold doctor --json | jq -r '.findings[] | select(.verdict == "fail") | .found'
${exits([0, 2, ...printing])}${sources}`,
    )
    .action(async (options: DoctorOptions) => done(await doctor(io, options)))
  return root
}
