/** What `leasehold run` says of a loss; the processes themselves are in the integration tests. */
import { expect, it } from 'vitest'
import { LeaseLostError, quarantineMark, StoreUnavailableError } from '../../lease/index.ts'
import type { Connection } from '../connection/connection.ts'
import type { Io } from '../process/io.ts'
import type { WatchedCommand } from '../watchdog/watched-command.ts'
import { environment, runUnder } from './run-under.ts'

const connection = { kind: 'cassandra', connect: { contactPoints: ['a:9042'] } } as unknown as Connection
const mark = quarantineMark('r1')
const value = JSON.stringify({ quarantine: { was: 'me', by: 'ann', at: '2026-01-01T00:00:00.000Z' } })

/** @param lose what happens while the command runs; then the watchdog stops it */
async function said(failure: unknown, lose: (abort: AbortController) => void): Promise<string[]> {
  let written = ''
  const write = (text: string) => {
    written += text
  }
  const output = { isTTY: false, columns: 80, rows: 24, write }
  const io: Io = { env: {}, stdout: output, stderr: output, onSignal: () => () => {} }
  const abort = new AbortController()
  const held = {
    get held() {
      return !abort.signal.aborted
    },
    signal: abort.signal,
    deadlineMs: 0,
    remainingMs: 1_000,
    renewalFailure: failure,
  }
  const watched = {
    ready: Promise.resolve(),
    stop: () => {},
    run: async (...[, , , , onStopping]: Parameters<WatchedCommand['run']>) => {
      lose(abort)
      onStopping('deadline')
      return { kind: 'ended', code: null, signal: 'SIGTERM', stopped: 'deadline' }
    },
  } as unknown as WatchedCommand
  const never = new AbortController().signal
  const options = { name: 'job', command: ['x'], env: {}, graceMs: 1, interrupted: never, asked: never }
  const read = async () => ({ owner: mark, value }) as never
  const end = await runUnder(io, held, watched, { ...options, connection, read }).catch((thrown) => thrown)
  return [written, (end as Error).message]
}

it('names the cause of renewals that fail', async () => {
  const away = new StoreUnavailableError('No node of Cassandra can be reached.')
  expect(await said(away, () => {})).toEqual([
    'leasehold: "job" could not be renewed for too long: Cassandra at a:9042 does not answer. leasehold stops the command before the deadline.\n',
    '"job" could not be renewed in time, and the command was stopped: Cassandra at a:9042 does not answer.',
  ])
})

it('names no cause where no renewal has failed', async () => {
  const [, end] = await said(undefined, () => {})
  expect(end).toBe('"job" could not be renewed in time, and the command was stopped.')
})

it('says who broke the lease, and nothing of Cassandra', async () => {
  const lost = new LeaseLostError('job', 'me', 'not-holder', mark)
  expect(await said(new StoreUnavailableError('x'), (abort) => abort.abort(lost))).toEqual([
    'leasehold: The lease "job" is lost: an operator broke it. leasehold stops the command.\n',
    'The lease "job" is lost: ann broke it, and the command was stopped.',
  ])
})

it('a request to resign that comes before the command is one: it is not started', async () => {
  const output = { isTTY: false, columns: 80, rows: 24, write: () => {} }
  const io: Io = { env: {}, stdout: output, stderr: output, onSignal: () => () => {} }
  const never = new AbortController().signal
  const held = { held: true, signal: never, deadlineMs: 0, remainingMs: 1_000, renewalFailure: undefined }
  const orders: string[] = []
  const watched = {
    ready: Promise.resolve(),
    stop: () => orders.push('stop'),
    run: async () => {
      orders.push('run')
      return { kind: 'ended', code: 0, signal: null, stopped: null }
    },
  } as unknown as WatchedCommand
  const asked = AbortSignal.abort({ name: 'job', requestedBy: 'ann', reason: 'upgrade' })
  const options = { name: 'job', command: ['x'], env: {}, graceMs: 1, interrupted: never, asked }
  const end = runUnder(io, held, watched, { ...options, connection, read: async () => null })
  await expect(end).rejects.toThrow(/ann.*; the command was not started\./)
  expect(orders).toEqual([])
})

it('the command inherits none of the secrets of the console, unless it asks for them', () => {
  const output = { isTTY: false, columns: 80, rows: 24, write: () => {} }
  const secrets = {
    CASSANDRA_READ_PASSWORD: 'secret',
    CASSANDRA_SCHEMA_PASSWORD_FILE: '/run/secret',
    LEASEHOLD_ADMIN_PASSWORD: 'secret',
    LEASEHOLD_AUDIT_KEY: 'secret',
    LEASEHOLD_METRICS_TOKEN_FILE: '/run/secret',
    LEASEHOLD_OIDC_CLIENT_SECRET: 'secret',
  }
  const env = { ...secrets, OTHER: 'goes on' }
  const io: Io = { env, stdout: output, stderr: output, onSignal: () => () => {} }
  const token = { LEASEHOLD_TOKEN: '1' }
  expect(environment(io, { ttl: 30 }, token)).toEqual({ OTHER: 'goes on', LEASEHOLD_TOKEN: '1' })
  expect(environment(io, { ttl: 30, keepCredentials: true }, token)).toEqual({ ...env, ...token })
})
