/** `leasehold run NAME -- command…`: runs a command while a lease is held, and while it can be relied on. */
import { type HoldOptions, isLeaseholdError, type Lease, Leases, type ResignRequest } from '../lease/index.ts'
import { defaultMaxClockSkewMs, systemTimer } from '../time/index.ts'
import { CliError, usageError } from './cli-error.ts'
import { type ConnectionOptions, connectionOf } from './connection.ts'
import { signalExitCode } from './exit-codes.ts'
import { untilInterrupted } from './interrupt.ts'
import { type Io, say } from './io.ts'
import { withOpened } from './open.ts'
import { runUnder } from './run-under.ts'
import { graceFor, longestGraceMs } from './stop-plan.ts'
import { sayWhoHolds } from './waiting.ts'
import { WatchedCommand } from './watched-command.ts'

export interface RunOptions extends ConnectionOptions {
  readonly ttl: number
  readonly wait: number
  readonly value?: string
  readonly grace?: number
  readonly maxClockSkew?: number
}

export async function run(io: Io, name: string, command: string[], options: RunOptions): Promise<number> {
  const {
    ttl: ttlSeconds,
    wait: waitMs,
    value,
    maxClockSkew: maxClockSkewMs = defaultMaxClockSkewMs,
  } = options
  const graceMs = graceOf(ttlSeconds, maxClockSkewMs, options.grace)
  const connection = connectionOf(options, io.env)
  const { signal, stopListening } = untilInterrupted(
    io,
    (by) => new CliError(signalExitCode(by), `Interrupted while it waited for ${JSON.stringify(name)}.`),
  )
  const watched = new WatchedCommand()
  try {
    return await withOpened(connection, async ({ store, resignRequests }) => {
      const leases = new Leases({ store, maxClockSkewMs, resignRequests })
      const asked = new AbortController()
      const onResignRequested = (request: ResignRequest) => asked.abort(request)
      const hold = { ttlSeconds, onResignRequested, ...(value !== undefined && { value }) }
      const lease = await acquire(io, leases, name, hold, waitMs, signal)
      try {
        const env = environment(io, lease, { LEASEHOLD_TOKEN: String(lease.token) })
        return await runUnder(io, lease, watched, {
          command,
          graceMs,
          env,
          interrupted: signal,
          asked: asked.signal,
        })
      } finally {
        await giveUp(io, lease)
      }
    })
  } finally {
    watched.leave()
    stopListening()
  }
}

/** @throws CliError (64) naming the numbers */
export function graceOf(ttlSeconds: number, maxClockSkewMs: number, askedMs: number | undefined): number {
  const graceMs = graceFor(ttlSeconds, maxClockSkewMs, askedMs)
  if (graceMs === undefined)
    throw usageError(
      `A grace of ${askedMs} ms is too long for a TTL of ${ttlSeconds} s: at most ${longestGraceMs(ttlSeconds, maxClockSkewMs)} ms leave time for renewals. Make --ttl longer or --grace shorter.`,
    )
  return graceMs
}

/** What a command is told of what it runs under. */
export function environment(
  io: Io,
  held: { name: string; owner: string; ttlSeconds: number },
  more: Record<string, string>,
): Record<string, string> {
  const inherited = Object.entries(io.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return {
    ...Object.fromEntries(inherited),
    LEASEHOLD_NAME: held.name,
    LEASEHOLD_OWNER: held.owner,
    LEASEHOLD_TTL_SECONDS: String(held.ttlSeconds),
    ...more,
  }
}

async function acquire(
  io: Io,
  leases: Leases,
  name: string,
  hold: HoldOptions,
  waitMs: number,
  signal: AbortSignal,
): Promise<Lease> {
  if (waitMs === 0 || !io.stderr.isTTY) return leases.acquire(name, { ...hold, waitMs, signal })
  const progress = sayWhoHolds(io, leases.protocol, name)
  try {
    return await leases.acquire(name, { ...hold, waitMs, signal })
  } finally {
    progress.end()
  }
}

/** How long a release may take that frees the lease for others, and one that hardly matters any more. */
const releaseWithinMs = { held: 10_000, lost: 2_000 }

/** After everything else is over. Whatever comes of it, the command's exit code is what counts. */
export async function giveUp(
  io: Io,
  lease: Pick<Lease, 'name' | 'ttlSeconds' | 'release' | 'held' | 'signal'>,
): Promise<void> {
  const { held, name, ttlSeconds } = lease
  const lost: unknown = lease.signal.reason
  // Somebody else's by now, or nobody's: there is nothing to give up.
  if (!held && isLeaseholdError(lost, 'lease-lost') && lost.reason === 'not-holder') return
  const enough = new AbortController()
  const expires = `At the latest, ${JSON.stringify(name)} is free again in ${ttlSeconds} s.`
  try {
    const late = systemTimer
      .sleep(held ? releaseWithinMs.held : releaseWithinMs.lost, enough.signal)
      .then(() => 'late' as const)
    if ((await Promise.race([lease.release(), late])) === 'late')
      say(io, `The release is not answered. ${expires}`)
  } catch (thrown) {
    say(io, `${(thrown as Error).message} ${expires}`)
  } finally {
    enough.abort()
  }
}
