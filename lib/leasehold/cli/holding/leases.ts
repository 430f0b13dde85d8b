/** Opens the leases of a command, and closes them in bounded time. */
import { Leases } from '../../lease/index.ts'
import { defaultMaxClockSkewMs, minKeptTtlSeconds } from '../../time/index.ts'
import type { Opened } from '../connection/open.ts'
import { usageError } from '../process/cli-error.ts'
import { type Io, say } from '../process/io.ts'

export interface HoldingOptions {
  readonly ttl: number
  readonly wait?: number
  readonly value?: string
  readonly fair?: boolean
  readonly grace?: number
  readonly maxClockSkew?: number
  readonly keepCredentials?: boolean
}

/** @throws CliError (64) on a TTL that is too short for the cluster */
export function leasesOf({ store, tickets, resignRequests }: Opened, options: HoldingOptions): Leases {
  const { ttl, maxClockSkew: maxClockSkewMs = defaultMaxClockSkewMs } = options
  const leastSeconds = minKeptTtlSeconds(maxClockSkewMs, store.paxosVariant)
  if (ttl < leastSeconds && ttl >= minKeptTtlSeconds(maxClockSkewMs, 'v2'))
    throw usageError(
      `A TTL of ${ttl} s is too short under Paxos v1, which is assumed unless the cluster says otherwise: make --ttl ${leastSeconds} or longer. Where the cluster's paxos_variant is v2, give --paxos-variant v2.`,
    )
  return new Leases({ store, tickets, resignRequests, maxClockSkewMs })
}

/** The console's own leases: a program that holds one keeps the consoles from their work. @throws CliError (64) */
export function refuseConsoleName(name: string): void {
  if (name.startsWith('leasehold/'))
    throw usageError(
      `${JSON.stringify(name)} is a name of the console's own: those begin with leasehold/. Take another one.`,
    )
}

/** The options of `Leases.acquire` and `Election.campaign`, from the command line. */
export const holdOptions = ({ ttl, value, wait, fair }: HoldingOptions) => ({
  ttlSeconds: ttl,
  value,
  waitMs: wait,
  fair,
})

/** How long to wait for answers at the end: longer for a release, which frees the lease for other owners. */
const answersWithinMs = { held: 2_000, waiting: 500 }

/**
 * Releases the lease, and ends all waiting.
 * @param acquired the lease or the leadership under which the command ran
 */
export async function closeLeases(
  io: Io,
  leases: Leases,
  acquired?: { readonly held: boolean; release(): Promise<unknown> },
): Promise<void> {
  // The row of a lost lease may still be there, by a renewal whose answer came too late. The command has ended: free
  // it.
  if (acquired?.held === false) acquired.release().catch(() => {})
  const waitMs = acquired === undefined ? answersWithinMs.waiting : answersWithinMs.held
  const unanswered = await leases.close({ waitMs })
  for (const { name, ttlSeconds } of unanswered) sayUnanswered(io, name, ttlSeconds)
}

export const sayUnanswered = (io: Io, name: string, ttlSeconds: number): void =>
  say(
    io,
    `The release of ${JSON.stringify(name)} is not answered. It is usually free again within ${ttlSeconds} s.`,
  )
