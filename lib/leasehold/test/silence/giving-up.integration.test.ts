/**
 * Cassandra falls silent, or goes away, while a process is in the middle of something. The process learns soon what it gave
 * up, and ends by itself. Behind a proxy: requests still reach the node, answers do not come back.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTables } from '../../cassandra/index.ts'
import { FaultProxy } from '../../testing/index.ts'
import { contentionLimitMs } from '../../time/index.ts'
import { testContactPoint, testSession, testVariant } from '../node-session.ts'
import { Programs, testConnection } from '../programs.ts'
import type { SilentSettings } from './silent.program.ts'

const keyspace = 'silence_test'
const silent = join(import.meta.dirname, 'silent.program.ts')
let programs: Programs

beforeAll(async () => {
  programs = await Programs.compile(silent)
  await using session = await testSession(keyspace)
  await createTables(session)
})
afterAll(() => programs?.remove())
/**
 * What the scheduler of a busy machine adds, in milliseconds, beyond the stops that the process itself has subtracted: the library
 * promises a tenth of a second.
 */
const noiseMs = 2_000
/** A try is given up a second after Cassandra must have given it up. */
const tryMs = contentionLimitMs[testVariant] + 1_000

interface GivingUp {
  act: SilentSettings['act']
  error: string | RegExp
  withinMs: number
}
const acts: GivingUp[] = [
  { act: 'aborted acquire', error: 'given up', withinMs: 100 + noiseMs },
  { act: 'aborted campaign', error: 'given up', withinMs: 100 + noiseMs },
  { act: 'acquire while the leases are closed', error: 'closed', withinMs: 100 + noiseMs },
  { act: 'campaign while the leases are closed', error: 'closed', withinMs: 100 + noiseMs },
  { act: 'work that throws', error: 'the work failed', withinMs: 1_000 + noiseMs },
  { act: 'acquire without waiting', error: 'outcome-unknown', withinMs: tryMs + noiseMs },
  { act: 'tryAcquire', error: 'outcome-unknown', withinMs: tryMs + noiseMs },
]

async function giveUp(
  { act, error, withinMs }: GivingUp,
  fault: 'silent' | 'silent after a break' | 'gone',
  isWarm = true,
): Promise<void> {
  const [host = '', port = ''] = testContactPoint().split(':')
  // Of its own: these tests mostly wait, and run beside each other.
  const proxy = await FaultProxy.listen(host, Number(port))
  const name = `silence/${randomBytes(6).toString('hex')}`
  const connection = testConnection(keyspace, proxy.contactPoint)
  const reconnects = fault === 'silent after a break'
  const insists = isWarm && fault !== 'gone'
  const settings = { connection, name, act, isWarm, reconnects, insists } satisfies SilentSettings
  const program = programs.start(silent, settings)
  await program.says('ready')
  if (reconnects) {
    proxy.cut()
    // The driver tries again after a second. On a busy machine it takes longer, and a try would find no connection.
    await pause(2_500)
    program.tell()
    await program.says('reconnected')
  }
  const fail = () => (fault === 'gone' ? proxy.refuse() : proxy.holdAnswers())
  if (act === 'work that throws') {
    program.tell()
    await program.says('working')
  }
  fail()
  program.tell()
  const over = await program.says('over')
  const closed = await program.says('closed')
  const ended = await program.endsWithin(8_000 + noiseMs)
  await proxy.close()
  console.info(
    `${act}, ${fault}${isWarm ? '' : ', nothing prepared'}: ${over.error} after ${Math.round(Number(over.afterMs))} ms; the leases closed within ${Math.round(Number(closed.leasesMs))} ms, the session within ${Math.round(Number(closed.sessionMs))} ms; exit code ${ended.code}`,
  )
  expect(ended).toEqual({ code: 0, stderr: '' })
  expect(over.error).toMatch(error)
  expect(over.afterMs).toBeLessThan(withinMs)
  expect(closed.leasesMs).toBeLessThan(5_000 + noiseMs)
  expect(closed.sessionMs).toBeLessThan(2_000 + noiseMs)
}

it.concurrent.each(acts)('$act, with Cassandra silent', (act) => giveUp(act, 'silent'))

it.concurrent.each(acts)('$act, with Cassandra silent after a connection broke', (act) =>
  giveUp(act, 'silent after a break'),
)

it.concurrent.each(acts.filter(({ act }) => act !== 'work that throws'))(
  '$act, with Cassandra silent before anything was prepared',
  // What is not prepared in time is never sent: that is no unknown outcome.
  ({ error, ...act }) =>
    giveUp({ ...act, error: error === 'outcome-unknown' ? 'store-unavailable' : error }, 'silent', false),
)

it.concurrent.each(acts)('$act, with Cassandra gone', ({ error, ...act }) =>
  // A try that the breaking connection had taken is unknown; one that found no connection is unavailable.
  giveUp(
    { ...act, error: error === 'outcome-unknown' ? /outcome-unknown|store-unavailable/ : error },
    'gone',
  ),
)
