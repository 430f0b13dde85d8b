/** `leasehold run NAME -- command…`: runs a command under a lease, and stops it before the lease's deadline. */
import type { Lease, ResignRequest } from '../../lease/index.ts'
import { type ConnectionOptions, connectionOf } from '../connection/connection.ts'
import { withOpened } from '../connection/open.ts'
import {
  closeLeases,
  type HoldingOptions,
  holdOptions,
  leasesOf,
  refuseConsoleName,
} from '../holding/leases.ts'
import { environment, graceOf, runUnder } from '../holding/run-under.ts'
import { sayingWait } from '../holding/waiting.ts'
import { CliError } from '../process/cli-error.ts'
import { signalExitCode } from '../process/exit-codes.ts'
import { untilInterrupted } from '../process/interrupt.ts'
import { type Io, say } from '../process/io.ts'
import { WatchedCommand } from '../watchdog/watched-command.ts'

export interface RunOptions extends ConnectionOptions, HoldingOptions {}

export async function run(io: Io, name: string, command: string[], options: RunOptions): Promise<number> {
  refuseConsoleName(name)
  const graceMs = graceOf(options)
  const connection = connectionOf(options, io.env)
  const { signal, stopListening } = untilInterrupted(
    io,
    (by) => new CliError(signalExitCode(by), `Interrupted while it waited for ${JSON.stringify(name)}.`),
  )
  const watched = new WatchedCommand()
  try {
    return await withOpened(
      connection,
      async (opened) => {
        const leases = leasesOf(opened, options)
        const asked = new AbortController()
        let lease: Lease | undefined
        try {
          const holding = {
            ...holdOptions(options),
            signal,
            onResignRequested: (request: ResignRequest) => asked.abort(request),
          }
          const wait = { name, waitMs: options.wait, as: 'holder' } as const
          const { acquired, announces } = await sayingWait(io, leases.protocol, wait, () =>
            leases.acquire(name, holding),
          )
          lease = acquired
          if (announces) say(io, `holds ${JSON.stringify(name)} with the token ${lease.token}.`)
          return await runUnder(io, lease, watched, {
            name,
            command,
            graceMs,
            env: environment(io, options, {
              LEASEHOLD_NAME: name,
              LEASEHOLD_OWNER: lease.owner,
              LEASEHOLD_TTL_SECONDS: String(lease.ttlSeconds),
              LEASEHOLD_TOKEN: String(lease.token),
            }),
            interrupted: signal,
            asked: asked.signal,
            connection,
            read: () => leases.read(name),
          })
        } finally {
          // Never throws: the command's exit code counts.
          await closeLeases(io, leases, lease)
        }
      },
      signal,
    )
  } finally {
    watched.close()
    stopListening()
  }
}
