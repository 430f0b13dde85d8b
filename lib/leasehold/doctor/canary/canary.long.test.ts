/**
 * A thousand canaries on a real Cassandra that is kept busy: none of them accuses it. `npm run test:long`;
 * LEASEHOLD_TEST_CANARIES for fewer or more.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CassandraLeaseStore, type CassandraSession, createTables } from '../../cassandra/index.ts'
import { isLeaseholdError, uniqueOwner } from '../../lease/index.ts'
import { testSession } from '../../test/node-session.ts'
import { canary } from './canary.ts'

const runs = Number(process.env.LEASEHOLD_TEST_CANARIES ?? 1_000)
/** Canaries at a time, and clients that acquire and release beside them: some on one name, some on names of their own. */
const [canaries, contenders, others] = [50, 16, 32]
const keyspace = `canary_long_${Date.now().toString(36)}`
let session: CassandraSession

beforeAll(async () => {
  session = await testSession(keyspace)
  await createTables(session, { only: ['leases'] })
})
afterAll(() => session?.close())

/** Acquires and releases without a pause until the signal aborts. @returns how many answers were lost, of how many */
async function load(store: CassandraLeaseStore, name: string, signal: AbortSignal) {
  let [sent, lost] = [0, 0]
  const counted = async (statement: Promise<unknown>) => {
    sent++
    await statement.catch((thrown) => {
      if (!isLeaseholdError(thrown, 'statement-unknown') && !isLeaseholdError(thrown, 'store-unavailable'))
        throw thrown
      lost++
    })
  }
  while (!signal.aborted) {
    const owner = uniqueOwner()
    await counted(store.acquire({ name, owner, value: null, ttlSeconds: 5 }))
    await counted(store.release({ name, owner }))
  }
  return { sent, lost }
}

it(`never fails in ${runs} runs under load`, { timeout: 1_800_000 }, async () => {
  const store = new CassandraLeaseStore(session)
  const over = new AbortController()
  const loads = [
    ...Array.from({ length: contenders }, () => load(store, 'hot', over.signal)),
    ...Array.from({ length: others }, (_, index) => load(store, `other/${index}`, over.signal)),
  ]
  const ends: Record<string, number> = {}
  let left = runs
  const worker = async () => {
    while (left-- > 0) {
      const outcome = await canary(store)
      const end = outcome.kind === 'passed' ? 'passed' : `${outcome.kind}: ${outcome.found}`
      ends[end] = (ends[end] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: canaries }, worker))
  over.abort()
  const counts = await Promise.all(loads)
  const sum = (of: 'sent' | 'lost') => counts.reduce((total, each) => total + each[of], 0)
  console.log(
    `${runs} canaries beside ${sum('sent')} conditional writes, ${sum('lost')} of them unknown:`,
    ends,
  )
  expect(Object.keys(ends).filter((end) => end.startsWith('failed'))).toEqual([])
  expect(ends.passed).toBeGreaterThan(runs * 0.9)
})
