/** `leasehold elect GROUP`: campaigns for a group, and as its leader runs a command or prints events. */
import { Election, type Leadership } from '../../election/index.ts'
import type { Leases, ResignRequest } from '../../lease/index.ts'
import { type Connection, type ConnectionOptions, connectionOf } from '../connection/connection.ts'
import { type Opened, withOpened } from '../connection/open.ts'
import {
  closeLeases,
  type HoldingOptions,
  holdOptions,
  leasesOf,
  refuseConsoleName,
} from '../holding/leases.ts'
import { environment, graceOf, runUnder } from '../holding/run-under.ts'
import { sayingWait } from '../holding/waiting.ts'
import { CliError, usageError } from '../process/cli-error.ts'
import { signalExitCode } from '../process/exit-codes.ts'
import { untilInterrupted } from '../process/interrupt.ts'
import { type Io, say } from '../process/io.ts'
import { WatchedCommand } from '../watchdog/watched-command.ts'
import { eventPrinter, observe } from './election-events.ts'
import { lead } from './lead.ts'

export interface ElectOptions extends ConnectionOptions, HoldingOptions {
  readonly observe?: boolean
  readonly json?: boolean
  /** false: `--no-terms`. */
  readonly terms: boolean
}

export async function elect(
  io: Io,
  group: string,
  command: string[],
  options: ElectOptions,
): Promise<number> {
  if (options.observe && command.length > 0)
    throw usageError('--observe runs no command; leave out the command, or --observe.')
  if (!options.observe) refuseConsoleName(group)
  const graceMs = options.observe ? 0 : graceOf(options)
  const connection = connectionOf(options, io.env)
  if (connection.kind === 'server' && (connection.table ?? 'leases') !== 'leases' && options.terms)
    throw usageError(
      'A server counts the terms of its own table alone; leave --table out, or give --no-terms with it.',
    )
  const { signal, stopListening } = untilInterrupted(
    io,
    (by) => new CliError(signalExitCode(by), `Interrupted while it campaigned for ${JSON.stringify(group)}.`),
  )
  const print = eventPrinter(io, group, options.json === true)
  try {
    return await withOpened(
      connection,
      async (opened) => {
        const leases = leasesOf(opened, options)
        const election = electionOf(opened, leases, group, options)
        if (options.observe) return observe(election, print, signal)
        if (command.length === 0) return lead(io, { leases, election, print, signal, options })
        return runAsLeader(io, { connection, leases, election, signal, command, graceMs, options })
      },
      signal,
    )
  } finally {
    stopListening()
  }
}

const electionOf = ({ terms }: Opened, leases: Leases, group: string, options: ElectOptions): Election =>
  new Election({ leases, group, terms: options.terms ? terms : undefined })

interface Leading {
  readonly connection: Connection
  readonly leases: Leases
  readonly election: Election
  readonly signal: AbortSignal
  readonly command: readonly string[]
  readonly graceMs: number
  readonly options: ElectOptions
}

async function runAsLeader(
  io: Io,
  { connection, leases, election, signal, command, graceMs, options }: Leading,
): Promise<number> {
  const { group: name } = election
  const watched = new WatchedCommand()
  const asked = new AbortController()
  let leadership: Leadership | undefined
  try {
    const campaign = {
      ...holdOptions(options),
      signal,
      onResignRequested: (request: ResignRequest) => asked.abort(request),
    }
    const wait = { name, waitMs: options.wait, as: 'leader' } as const
    const { acquired, announces } = await sayingWait(io, leases.protocol, wait, () =>
      election.campaign(campaign),
    )
    leadership = acquired
    const { owner, term, token } = acquired
    const env = environment(io, options, {
      LEASEHOLD_NAME: name,
      LEASEHOLD_OWNER: owner,
      LEASEHOLD_TTL_SECONDS: String(options.ttl),
      LEASEHOLD_TOKEN: String(token),
      LEASEHOLD_TERM: term === null ? undefined : String(term),
    })
    if (announces) say(io, `leads ${JSON.stringify(name)}${term === null ? '' : `, term ${term}`}.`)
    return await runUnder(io, leadership, watched, {
      name,
      command,
      graceMs,
      env,
      interrupted: signal,
      asked: asked.signal,
      connection,
      read: () => leases.read(name),
    })
  } finally {
    const led = leadership
    await closeLeases(io, leases, led && { held: led.held, release: () => led.resign() })
    watched.close()
  }
}
