/** `leasehold elect GROUP`: campaigns, and leads: runs a command meanwhile, or tells what happens. */
import { Election, type Leadership } from '../election/index.ts'
import { isLeaseholdError, Leases, type ResignRequest } from '../lease/index.ts'
import { defaultMaxClockSkewMs, systemClock, systemTimer } from '../time/index.ts'
import { CliError, usageError } from './cli-error.ts'
import { type ConnectionOptions, connectionOf } from './connection.ts'
import { exitCode, signalExitCode } from './exit-codes.ts'
import { untilInterrupted } from './interrupt.ts'
import { type Io, say, styled } from './io.ts'
import { type Opened, withOpened } from './open.ts'
import { environment, giveUp, graceOf } from './run.ts'
import { runUnder } from './run-under.ts'
import { WatchedCommand } from './watched-command.ts'
import { printable } from './words.ts'

export interface ElectOptions extends ConnectionOptions {
  readonly ttl: number
  readonly wait?: number
  readonly value?: string
  readonly grace?: number
  readonly maxClockSkew?: number
  readonly observe?: boolean
  readonly json?: boolean
  /** false: `--no-terms`. */
  readonly terms: boolean
}

/** One line: for people, or as JSON. */
type Tell = (event: string, facts: Record<string, string | null>) => void

export async function elect(
  io: Io,
  group: string,
  command: string[],
  options: ElectOptions,
): Promise<number> {
  const { maxClockSkew: maxClockSkewMs = defaultMaxClockSkewMs } = options
  if (options.observe && command.length > 0)
    throw usageError('--observe only looks on; leave the command out, or --observe.')
  const graceMs = options.observe ? 0 : graceOf(options.ttl, maxClockSkewMs, options.grace)
  const connection = connectionOf(options, io.env)
  if (connection.kind === 'server' && (connection.table ?? 'leases') !== 'leases' && options.terms)
    throw usageError(
      'A server counts the terms of its own table alone; leave --table out, or give --no-terms with it.',
    )
  return withOpened(connection, async (opened) => {
    const election = electionOf(opened, group, maxClockSkewMs, options.terms)
    const tell: Tell = (event, facts) => tellEvent(io, options.json === true, event, { group, ...facts })
    if (options.observe) return observe(io, election, tell)
    if (command.length > 0) return runAsLeader(io, election, command, graceMs, options)
    return lead(io, election, tell, options)
  })
}

function electionOf(
  { store, terms, resignRequests }: Opened,
  group: string,
  maxClockSkewMs: number,
  counts: boolean,
): Election {
  const leases = new Leases({ store, maxClockSkewMs, resignRequests })
  return new Election({ leases, group, ...(counts && { terms }) })
}

const campaignOptions = ({ ttl, value, wait }: ElectOptions) => ({
  ttlSeconds: ttl,
  ...(value !== undefined && { value }),
  ...(wait !== undefined && { waitMs: wait }),
})

async function runAsLeader(
  io: Io,
  election: Election,
  command: string[],
  graceMs: number,
  options: ElectOptions,
): Promise<number> {
  const { group } = election
  const { signal, stopListening } = untilInterrupted(
    io,
    (name) =>
      new CliError(signalExitCode(name), `Interrupted while it campaigned for ${JSON.stringify(group)}.`),
  )
  const watched = new WatchedCommand()
  try {
    const asked = new AbortController()
    const leadership = await election.campaign({
      ...campaignOptions(options),
      signal,
      onResignRequested: (request) => asked.abort(request),
    })
    const held = heldAs(leadership, options.ttl)
    try {
      if (io.stderr.isTTY) say(io, `leads ${JSON.stringify(group)}${termText(leadership)}.`)
      return await runUnder(io, held, watched, {
        command,
        graceMs,
        interrupted: signal,
        asked: asked.signal,
        env: environment(io, held, {
          LEASEHOLD_TOKEN: String(leadership.token),
          ...(leadership.term !== null && { LEASEHOLD_TERM: String(leadership.term) }),
        }),
      })
    } finally {
      await giveUp(io, held)
    }
  } finally {
    watched.leave()
    stopListening()
  }
}

/** A leadership, as something that a command can run under. */
const heldAs = (leadership: Leadership, ttlSeconds: number) => ({
  name: leadership.group,
  owner: leadership.owner,
  ttlSeconds,
  get held() {
    return leadership.held
  },
  get signal() {
    return leadership.signal
  },
  get deadlineMs() {
    return leadership.deadlineMs
  },
  get remainingMs() {
    return leadership.remainingMs
  },
  release: () => leadership.resign(),
})

const termText = ({ term }: Leadership): string => (term === null ? '' : `, term ${term}`)

/** Tells of every leader and vacancy until it is interrupted. */
async function observe(io: Io, election: Election, tell: Tell): Promise<number> {
  const { signal, stopListening } = untilInterrupted(io, () => undefined)
  try {
    await tellObservations(election, tell, signal)
    return exitCode.done
  } finally {
    stopListening()
  }
}

async function tellObservations(election: Election, tell: Tell, signal: AbortSignal): Promise<void> {
  for await (const observation of election.observe({ signal })) {
    if (observation.kind === 'vacant') tell('vacant', {})
    else {
      const { owner, term, token, value } = observation.leader
      tell('leader', { owner, term: textOf(term), token: textOf(token), value })
    }
  }
}

/**
 * Campaigns, leads, and campaigns again after a loss, until it is interrupted; then resigns. Asked to resign it does so, and
 * stands back for one TTL: it would be the first to campaign again, before those who wait have seen the vacancy.
 */
async function lead(io: Io, election: Election, tell: Tell, options: ElectOptions): Promise<number> {
  const { signal, stopListening } = untilInterrupted(
    io,
    (name) => new CliError(signalExitCode(name), 'Interrupted.'),
  )
  const over = new AbortController()
  const observations = tellObservations(election, tell, over.signal).catch((thrown) => thrown)
  try {
    while (!signal.aborted) {
      const asked = new AbortController()
      const leadership = await election
        .campaign({
          ...campaignOptions(options),
          signal,
          onResignRequested: (request) => asked.abort(request),
        })
        .catch((thrown: unknown) => {
          // Lost before its term had begun: a loss like any other.
          if (isLeaseholdError(thrown, 'lease-lost') && !signal.aborted) return undefined
          throw thrown
        })
      if (leadership === undefined) continue
      tell('elected', {
        owner: leadership.owner,
        term: textOf(leadership.term),
        token: textOf(leadership.token),
      })
      await ended(leadership.signal, signal, asked.signal)
      if (leadership.held) {
        if (asked.signal.aborted) {
          const { requestedBy, reason } = asked.signal.reason as ResignRequest
          tell('asked', { owner: leadership.owner, by: requestedBy, why: reason })
        }
        await leadership.resign()
        tell('resigned', { owner: leadership.owner })
        if (!signal.aborted) await systemTimer.sleep(options.ttl * 1_000, signal)
      } else tell('lost', { owner: leadership.owner, why: (leadership.signal.reason as Error).message })
    }
  } catch (thrown) {
    // Somebody asked it to end while another one led: that is how this command ends.
    if (thrown !== signal.reason || isLeaseholdError(thrown, 'lease-lost')) throw thrown
  } finally {
    over.abort()
    const trouble: unknown = await observations
    if (trouble instanceof Error) say(io, `${trouble.message} The events were not complete.`)
    stopListening()
  }
  return exitCode.done
}

/** Resolves once one of them is aborted. Listens no longer than that: the process leads many times, and is asked to end once. */
const ended = (...signals: AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    for (const signal of signals) signal.addEventListener('abort', end)
    if (signals.some((signal) => signal.aborted)) end()
  })

const textOf = (number: bigint | null): string | null => number?.toString() ?? null

function tellEvent(io: Io, json: boolean, event: string, facts: Record<string, string | null>): void {
  const at = new Date(systemClock.now().wallMs).toISOString()
  if (json) return void io.stdout.write(`${JSON.stringify({ at, event, ...facts })}\n`)
  const { group: _, ...rest } = facts
  const words = Object.entries(rest).flatMap(([key, text]) =>
    text === null ? [] : `${key} ${printable(text)}`,
  )
  io.stdout.write(`${styled(io, io.stdout, 'dim', at)}  ${event.padEnd(8)}  ${words.join('  ')}`.trimEnd())
  io.stdout.write('\n')
}
