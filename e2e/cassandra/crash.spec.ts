/** The audit log and what it says of forced releases, when the server or Cassandra goes away in between. */
import { type PassingStatement, type StatementFault, StatementProxy } from 'leasehold/testing'
import { encodeSegment } from '../../lib/contract/path.ts'
import { temporaryFolder } from '../../scripts/test/temporary-folder.mjs'
import { expect, test } from '../console/console.ts'
import { type RunningConsole, startConsole, testContactPoint } from '../console/running-console.ts'

const [host = '', port = ''] = testContactPoint().split(':')
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param answered once the node has answered an act, whatever becomes of the answer */
async function behindProxy(fault: (owner: string) => StatementFault | undefined, answered = () => {}) {
  const faulty = new Set<string>()
  /** Those whose act the node has carried out. */
  const done = new Set<string>()
  const proxy = await StatementProxy.listen(host, Number(port), {
    fault: (statement) => {
      const owner = ownerOfAct(statement)
      if (owner === undefined) return undefined
      const found = fault(owner)
      if (found !== undefined) faulty.add(owner)
      return found
    },
    answered: (statement, failed) => {
      const owner = ownerOfAct(statement)
      if (owner === undefined || failed) return
      done.add(owner)
      answered()
    },
  })
  return { proxy, faulty, done }
}

/** The act itself: it binds the planned owner, and is neither the acquisition nor anything of the audit log. */
function ownerOfAct({ cql, values }: PassingStatement): string | undefined {
  if (!/^DELETE FROM \S+leases|^BEGIN BATCH UPDATE \S+leases/.test(cql.trim().replace(/\s+/g, ' ')))
    return undefined
  return values.map((value) => value?.toString()).find((value) => value?.startsWith('holder-'))
}

/** Plans and acts, without waiting for the answer. */
async function begin(running: RunningConsole, name: string, mode: string): Promise<string> {
  const path = `/v1/leases/${encodeSegment(name)}`
  const { body: made } = await running.api('POST', `${path}/release-plan`, {})
  const body = { plan: made.plan, mode, reason: `INC-7: ${mode} ${name}`, confirmName: name }
  running.once('POST', `${path}/release`, body).catch(() => {})
  return made.id
}

const outcomeOf = async (running: RunningConsole, id: string): Promise<string | undefined> => {
  const { body } = await running.api('GET', '/v1/audit?act=release&limit=100')
  const entries: { id: string; phase: string; outcome: string }[] = body?.entries ?? []
  const outcomes = entries.filter((entry) => entry.id === id && entry.phase === 'outcome')
  expect(outcomes.length, 'an act has one outcome').toBeLessThan(2)
  return outcomes[0]?.outcome
}

/** The server is killed between intent and act, and between act and outcome. */
async function killed(): Promise<void> {
  const { proxy, faulty, done } = await behindProxy((owner) =>
    owner.startsWith('holder-before') ? { kind: 'hold-request', ms: 600_000 } : { kind: 'swallow-answer' },
  )
  const env = { LEASEHOLD_DATA_DIR: temporaryFolder('leasehold-e2e') }
  const first = await startConsole({ contactPoint: proxy.contactPoint, env })
  const acts = [
    ['before/kill', 'kill', 'not-released'],
    ['before/break', 'break', 'not-released'],
    ['after/kill', 'kill', 'superseded'],
    ['after/break', 'break', 'broken'],
    // Its mark expires before an act counts as over, which is after 145 s: the recovery has to look sooner.
    ['after/short', 'break', 'broken'],
  ] as const
  const ids = new Map<string, string>()
  for (const [name, mode] of acts) {
    await first.hold(name, { owner: `holder-${name}`, ttlSeconds: name === 'after/short' ? 120 : 600 })
    ids.set(name, await begin(first, name, mode))
  }
  await expect.poll(() => faulty.size, { timeout: 120_000 }).toBe(acts.length)
  // What was let through has taken effect; what was held back dies with the proxy.
  const letThrough = acts
    .map(([name]) => `holder-${name}`)
    .filter((owner) => owner.startsWith('holder-after'))
  await expect.poll(() => [...done].toSorted(), { timeout: 120_000 }).toEqual(letThrough.toSorted())
  await first.server.kill()
  await proxy.close()

  const second = await startConsole({ keyspace: first.keyspace, env })
  try {
    for (const [name, , outcome] of acts)
      await expect
        .poll(() => outcomeOf(second, ids.get(name) as string), { timeout: 200_000, intervals: [2_000] })
        .toBe(outcome)
    expect((await second.api('GET', '/v1/leases/before%2Fkill')).body.owner).toBe('holder-before/kill')
    expect((await second.api('GET', '/v1/leases/before%2Fbreak')).body.owner).toBe('holder-before/break')
    expect((await second.api('GET', '/v1/leases/after%2Fkill')).status).toBe(404)
    expect((await second.api('GET', '/v1/leases/after%2Fbreak')).body.state).toBe('quarantined')
    // The permalink says the same.
    for (const [name, , outcome] of acts)
      expect((await second.api('GET', `/v1/releases/${ids.get(name)}`)).body.outcome).toBe(outcome)
  } finally {
    await second.stop()
  }
}

/** Cassandra is lost for 30 s between act and outcome. */
async function cutOff(): Promise<void> {
  // The act arrives; its answer, and everything after it, is lost.
  const { proxy, done } = await behindProxy(
    () => ({ kind: 'hold-answer', ms: 600_000 }),
    () => proxy.refuse(),
  )
  const running = await startConsole({ contactPoint: proxy.contactPoint })
  try {
    await running.hold('outage/kill', { owner: 'holder-outage', ttlSeconds: 600 })
    const id = await begin(running, 'outage/kill', 'kill')
    await expect.poll(() => done.size, { timeout: 120_000 }).toBe(1)
    await pause(30_000)
    const refused = await running.once('POST', '/v1/leases/outage%2Fkill/release-plan', {})
    expect(refused.status).toBe(503)
    proxy.restore()
    await expect
      .poll(() => outcomeOf(running, id).catch(() => 'unreachable'), { timeout: 200_000 })
      .toBe('superseded')
    expect((await running.api('GET', `/v1/releases/${id}`)).body.outcome).toBe('superseded')
  } finally {
    await running.stop()
    await proxy.close()
  }
}

test('kill -9 between intent and act, and between act and outcome, and Cassandra away for 30 s: each intent gets its true outcome', async () => {
  // Both wait most of their time, and need not wait for each other.
  await Promise.all([killed(), cutOff()])
})
