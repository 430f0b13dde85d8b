/** The row of a plan is moved to its outcome, and every answer that says so is lost. */
import { randomBytes } from 'node:crypto'
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { LeaseProtocol, StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { PermittedSender } from '../../audit/actor.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { RowSeal } from '../../store/row-seal.ts'
import { RowVersions } from '../../store/row-versions.ts'
import { SealedRows } from '../../store/sealed-rows.ts'
import { planOf } from '../plans.ts'
import { noReport, type ReleaseRecord } from '../release-record.ts'
import { sealedColumns } from '../release-statements.ts'
import { ReleaseStore } from '../release-store.ts'
import { Releases } from '../releases.ts'

let clock: FakeClock
let written: AuditEvent[]
/** Outcomes that a store reported as kept by its own instance. */
let finished: string[]
/** Called with each move of the row, before it is applied. What it returns becomes of the answer. */
let onMove: (state: unknown) => 'answered' | 'lost' | 'not-sent'
let isAway: boolean

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  written = []
  finished = []
  onMove = () => 'answered'
  isAway = false
})

/** One row of `releases`, in which conditional writes are applied as in Cassandra. */
function sessionOfOne(): CassandraSession {
  let row: Record<string, unknown> = {}
  const set = [...sealedColumns.filter((column) => column !== 'id' && column !== 'plan'), 'version', 'seal']
  const answer = (...rows: object[]) => ({ rows, coordinator: '' })
  const execute = async ({ cql }: Statement, values: unknown[]) => {
    if (isAway) throw new StoreUnavailableError('No node answers (by order of the test).')
    if (cql.startsWith('SELECT')) return answer(row)
    if (cql.startsWith('INSERT') && cql.includes('.releases ')) {
      const [id, state, plan, attempt, version, seal] = values
      const empty = Object.fromEntries(sealedColumns.map((column) => [column, null]))
      row = { ...empty, id, state, plan, attempt, version, seal }
    }
    if (!cql.startsWith('UPDATE')) return answer({ '[applied]': true })
    const fate = onMove(values[0])
    if (fate === 'not-sent') throw new StoreUnavailableError('No node answers (by order of the test).')
    const [state, version] = values.slice(-2)
    const applied = row.state === state && row.version === version
    if (applied) row = { ...row, ...Object.fromEntries(set.map((column, i) => [column, values[i] ?? null])) }
    if (fate === 'lost') throw new StatementUnknownError('No answer came (by order of the test).', 'never')
    return answer({ '[applied]': applied })
  }
  return { keyspace: 'k', serial: 'SERIAL', execute } as unknown as CassandraSession
}

/** One kill, as a person carries it out, while another instance works on the same row. */
async function kill() {
  const leases = new LeaseProtocol({
    store: new MemoryLeaseStore(clock),
    clock,
    timer: clock,
    defaultTtlSeconds: 600,
  })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = {
    id: 'leases',
    mapping,
    readOnly: false,
    defaultTtlSeconds: 600,
    leases,
  } as unknown as LeaseTable
  await clock.run(leases.tryAcquire('job', { owner: 'holder' }))
  const view = await leases.read('job')
  if (view === null) throw new Error('not held')
  const plan = planOf('ann', leaseJson(table, view, clock.now()), clock.now().wallMs)

  const nowMs = () => clock.now().wallMs
  const seal = new RowSeal(randomBytes(32))
  const rows = new SealedRows({ seal, versions: new RowVersions(nowMs), nowMs, report: () => {} })
  const session = sessionOfOne()
  const storeOf = (instance: string) =>
    new ReleaseStore({ session, rows, timer: clock, finished: () => finished.push(instance) })
  const other = storeOf('other')
  const store = storeOf('this')
  await store.insert(plan)
  const append = async (event: AuditEvent) => void written.push(event)
  const audit = { append, appendUntilWritten: append, openIntents: async () => [] } as unknown as AuditLog
  const releases = new Releases({ store, audit, clock, log, timer: clock })
  const sender = {
    session: { username: 'ann', role: 'admin', via: 'password' },
    address: null,
    requestId: 'r',
    window: new ActWindow(clock),
  } as unknown as PermittedSender
  const record = (await store.read(plan.id)) as ReleaseRecord
  const wish = { mode: 'kill', reason: 'test' } as const
  await clock.run(releases.act(table, record, wish, sender, { secondPerson: false }))
  return { releases, other, id: plan.id }
}
const outcomes = () => written.filter(({ phase }) => phase === 'outcome').map(({ outcome }) => outcome)

it('the instance that moved it writes the outcome into the audit log, once it can read that it did', async () => {
  onMove = (state) => {
    if (state !== 'done') return 'answered'
    isAway = true
    return 'lost'
  }
  const { releases, id } = await kill()
  await clock.advance(5_000)
  expect([outcomes(), releases.pending.length]).toEqual([[], 1])
  isAway = false
  await clock.advance(10_000)
  expect([outcomes(), releases.pending, releases.isRunning(id)]).toEqual([['released'], [], false])
  expect(finished).toEqual(['this'])
})

it('an instance that did not, because another one was faster with the same outcome, writes none', async () => {
  onMove = (state) => (state === 'done' ? 'not-sent' : 'answered')
  const { releases, other, id } = await kill()
  await clock.advance(1_000)
  onMove = () => 'answered'
  const [event] = releases.pending
  expect(event?.outcome).toBe('released')
  await other.finish(id, { ...noReport, outcome: 'released' })
  await clock.advance(10_000)
  expect([outcomes(), releases.pending]).toEqual([[], []])
  expect(finished).toEqual(['other'])
})

describe('the outcome of this instance was shown although another instance had kept a different one', () => {
  const shown = async (releases: Releases, id: string) => [
    (await releases.find(id))?.outcome,
    ...(await releases.onLease('leases', 'job')).map(({ outcome }) => outcome),
  ]

  it('when it was looked at before this instance knew', async () => {
    onMove = (state) => (state === 'done' ? 'not-sent' : 'answered')
    const { releases, other, id } = await kill()
    onMove = () => 'answered'
    await other.finish(id, { ...noReport, outcome: 'superseded' })
    expect(releases.isRunning(id)).toBe(true)
    expect(await shown(releases, id)).toEqual(['superseded', 'superseded'])
    await clock.advance(10_000)
    expect(releases.isRunning(id)).toBe(false)
    expect(await shown(releases, id)).toEqual(['superseded', 'superseded'])
  })

  it('when it was looked at before the other one had kept its outcome', async () => {
    onMove = (state) => (state === 'done' ? 'not-sent' : 'answered')
    const { releases, other, id } = await kill()
    onMove = () => 'answered'
    expect(await shown(releases, id)).toEqual(['released', 'released'])
    await other.finish(id, { ...noReport, outcome: 'superseded' })
    await clock.advance(10_000)
    expect(await shown(releases, id)).toEqual(['superseded', 'superseded'])
  })
})
