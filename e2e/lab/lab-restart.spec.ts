/** The server goes away in the middle of a run of the lab: at a signal, and by kill -9. Nothing of the run is left but its journal. */
import { busyIn, expect, openSignedIn, pressUntil, test } from '../console/console.ts'
import { driver, patiently, type RunningConsole, startConsole } from '../console/running-console.ts'
import { candidateIn } from './lab-page.ts'

// The lanes move.
test.use({ reducedMotion: 'no-preference' })

/** A server that ends waits so long for the ends of its runs: `lib/console/lab/lab.ts`. */
const endWithinMs = 3_000

/** No other console has it: one that goes on would end what is left of a run too. */
const keyspace = `e2e_restart_${process.pid}`

/** What is in Cassandra of a run, its journal apart: "leases", "election_terms" and so on. */
async function leftOf(keyspace: string, run: string): Promise<string[]> {
  const client = await driver()
  const name = `lab/${run}/leader`
  const places: [table: string, where: string, params: unknown[]][] = [
    ['leases', 'name = ?', [name]],
    ['election_terms', '"group" = ?', [name]],
    ['lab_counters', 'run = ?', [run]],
    ['lock_tickets', 'name = ?', [name]],
    ['resign_requests', 'lease_table = ? AND name = ?', [`${keyspace}.leases`, name]],
  ]
  const found: string[] = []
  for (const [table, where, params] of places) {
    const cql = `SELECT * FROM ${keyspace}.${table} WHERE ${where}`
    const { rows } = await patiently(() => client.execute(cql, params))
    if (rows.length > 0) found.push(table)
  }
  await client.shutdown()
  return found
}

/** A run, once the lab has a place for it: that of a server which has just ended may still be taken. */
async function runBegins(running: RunningConsole, asked: object): Promise<{ run: string }> {
  const answers: Awaited<ReturnType<RunningConsole['api']>>[] = []
  const begin = async () => {
    const answer = await running.api('POST', '/v1/lab/runs', asked)
    answers.push(answer)
    return answer.status
  }
  await expect.poll(begin, { timeout: 60_000 }).toBe(201)
  return answers.at(-1)?.body
}

/** A run with a leader that adds to the counters, and was asked to resign. */
async function startRun(running: RunningConsole): Promise<string> {
  const body = await runBegins(running, { candidates: 2, ttlSeconds: 6 })
  const entries = async () => (await running.api('GET', `/v1/lab/runs/${body.run}`)).body.entries
  const kinds = async () => (await entries()).map(({ kind }: { kind: string }) => kind)
  await expect.poll(kinds, { timeout: 120_000 }).toContain('wrote')
  await running.api('POST', `/v1/lab/runs/${body.run}/acts`, { act: 'release', mode: 'ask' })
  await expect.poll(kinds, { timeout: 60_000 }).toContain('act')
  return body.run
}

test('at SIGTERM the run ends, and leaves nothing but its journal', async () => {
  // The test plays up to eight runs. On a busy machine a run takes up to three minutes.
  test.setTimeout(1_800_000)
  let run = ''
  let left: string[] = []
  // A server that ends waits for its runs for three seconds only. Beside other tests that is often too short: another run is played then.
  for (let tries = 0; tries < 8; tries++) {
    const running = await startConsole({ keyspace })
    run = await startRun(running)
    expect(await leftOf(keyspace, run)).toEqual(
      expect.arrayContaining(['election_terms', 'lab_counters', 'resign_requests']),
    )
    const atMs = Date.now()
    await running.stop()
    const tookMs = Date.now() - atMs
    left = await leftOf(keyspace, run)
    if (left.length === 0 || tookMs < endWithinMs) break
  }
  expect(left).toEqual([])
  const next = await startConsole({ keyspace })
  const { body } = await next.api('GET', `/v1/lab/runs/${run}`)
  expect(body.entries.at(-1)).toMatchObject({ kind: 'ended', why: 'restart' })
  await next.stop()
})

test('after kill -9 the next start removes what is left, and the page says how the run ended', async ({
  page,
}) => {
  const first = await startConsole({ keyspace })
  const run = await startRun(first)
  await first.server.kill()
  expect(await leftOf(first.keyspace, run)).toContain('election_terms')

  const next = await startConsole({ keyspace })
  await expect.poll(() => leftOf(first.keyspace, run), { timeout: 180_000 }).toEqual([])
  await openSignedIn(page, next, `/lab/${run}`)
  await expect(page.getByText('This run has ended.')).toBeVisible()
  await expect(page.getByText('Its journal ends here:')).toBeVisible()
  await expect(page.getByRole('button', { name: 'End run' })).toHaveCount(0)
  // The place of the dead run is free: another one begins.
  await runBegins(next, { candidates: 2 })
  await next.stop()
})

test('another instance shows the run, and says that it cannot act on it', async ({ page }) => {
  const first = await startConsole({ keyspace })
  const other = await startConsole({ keyspace })
  const run = await startRun(first)
  await openSignedIn(page, other, `/lab/${run}`)
  await candidateIn(page, /: leads$/)
  const alert = page.getByRole('alert').filter({ hasText: 'Another instance' })
  await pressUntil(() => page.getByRole('button', { name: 'Join one' }).click(), alert, busyIn(page))
  await expect(alert).toContainText(
    'Another instance of the console runs this run, and only that one can act on it.',
  )
  await first.stop()
  await expect(page.getByText('This run has ended.')).toBeVisible({ timeout: 120_000 })
  await other.stop()
})
