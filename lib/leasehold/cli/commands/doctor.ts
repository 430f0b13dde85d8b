/** `leasehold doctor`: what the cluster and a table are like, and whether the table keeps the promises leases stand on. */
import type { CassandraSession, TableMapping } from '../../cassandra/index.ts'
import type { Finding, Verdict } from '../../doctor/index.ts'
import { defaultMaxClockSkewMs } from '../../time/index.ts'
import { type ConnectionOptions, connectionOf } from '../connection/connection.ts'
import { closeSoon, connectTo } from '../connection/open.ts'
import { usageError } from '../process/cli-error.ts'
import { exitCode } from '../process/exit-codes.ts'
import { type Io, styled } from '../process/io.ts'
import { printable } from '../process/printable.ts'

export interface DoctorOptions extends ConnectionOptions {
  readonly json?: boolean
  /** False by `--no-canary`. */
  readonly canary: boolean
  readonly maxClockSkew?: number
}

/** @returns 0: no check failed, 2: one did */
export async function doctor(io: Io, options: DoctorOptions): Promise<number> {
  const connection = connectionOf(options, io.env)
  if (connection.kind === 'server')
    throw usageError(
      'The doctor asks Cassandra itself: give --contact-points. A server shows its own report under Settings, Doctor.',
    )
  const { defaultMapping } = await import('../../cassandra/index.ts')
  const { worstOf } = await import('../../doctor/index.ts')
  const session = await connectTo(connection)
  try {
    const findings = await findingsOf(session, connection.mapping ?? defaultMapping, options)
    const verdict = worstOf(findings)
    if (options.json === true) io.stdout.write(`${JSON.stringify({ verdict, findings })}\n`)
    else for (const line of findings.flatMap((finding) => linesOf(io, finding))) io.stdout.write(`${line}\n`)
    return verdict === 'fail' ? exitCode.checkFailed : exitCode.done
  } finally {
    await closeSoon(session)
  }
}

async function findingsOf(
  session: CassandraSession,
  mapping: TableMapping,
  { canary: wanted, maxClockSkew: maxClockSkewMs = defaultMaxClockSkewMs }: DoctorOptions,
): Promise<Finding[]> {
  const { CassandraLeaseStore } = await import('../../cassandra/index.ts')
  const { canary, examine, inOrder, judgeCanary } = await import('../../doctor/index.ts')
  const id = `${mapping.keyspace ?? session.keyspace}.${mapping.table}`
  const findings = await examine(session, { tables: [{ id, mapping }], maxClockSkewMs })
  if (!wanted) return findings
  const outcome = await canary(new CassandraLeaseStore(session, mapping), { maxClockSkewMs })
  return inOrder([...findings, { check: 'canary', table: id, ...judgeCanary(outcome) }])
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red', unknown: 'dim' } as const satisfies Record<
  Verdict,
  unknown
>

/** The verdict, the check and what was found; below it what to do. */
function linesOf(io: Io, { verdict, check, found, whatToDo }: Finding): string[] {
  const head = `${styled(io, io.stdout, colours[verdict], verdict.padEnd(8))}${check.padEnd(20)}`
  const line = `${head}${printable(found)}`
  return whatToDo === null ? [line] : [line, `${' '.repeat(28)}${printable(whatToDo)}`]
}
