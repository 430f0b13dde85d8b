/**
 * Claim: one process keeps 1,000 leases alive for five minutes; none is lost, and neither its processor time nor its
 * memory grows. The process does nothing else, so that the figures are those of keep-alive.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Leases } from 'leasehold/lease'
import { inParallel } from '../measure.mjs'

const count = 1_000
const ttlSeconds = 30
const minutes = 5

/** @param {import('../measure.mjs').Bench} bench */
export async function keepAlive({ contactPoint, keyspace }) {
  const child = spawn(
    process.execPath,
    ['--expose-gc', import.meta.filename, 'keep', contactPoint, keyspace],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'exit')
  /** @type {{ lost: number, samples: { cpuMs: number, heapMb: number, rssMb: number, lateMs: number }[] }} */
  const { lost, samples } = JSON.parse(text)
  // The first minute is for the compilers.
  const [, early, ...later] = samples
  const last = later.at(-1) ?? early
  const flat = last.cpuMs <= early.cpuMs * 1.25 && last.heapMb <= early.heapMb * 1.1
  const line = ({ cpuMs, heapMb, rssMb, lateMs }) =>
    `${(cpuMs / 600).toFixed(1)} % of a core, heap ${heapMb.toFixed(1)} MB, resident ${rssMb.toFixed(0)} MB, event loop late by ${lateMs.toFixed(0)} ms at most`
  return {
    title: `${count} leases of ${ttlSeconds} s, kept alive by one process for ${minutes} minutes`,
    rows: [],
    notes: samples.map((sample, minute) => `minute ${minute + 1}: ${line(sample)}`),
    claim: `${lost} lost (claimed: none); from minute 2 to ${minutes}, processor time × ${(last.cpuMs / early.cpuMs).toFixed(2)} (claimed: flat, at most 1.25), heap × ${(last.heapMb / early.heapMb).toFixed(2)} (at most 1.1)`,
    holds: lost === 0 && samples.length === minutes && flat,
  }
}

async function keep() {
  const { connect } = await import('leasehold/cassandra')
  const { monitorEventLoopDelay } = await import('node:perf_hooks')
  const [, , , contactPoint = '', keyspace = ''] = process.argv
  const { CASSANDRA_USERNAME: username, CASSANDRA_PASSWORD: password } = process.env
  const session = await connect({
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    username,
    password,
  })
  const leases = new Leases({ store: session.store, tickets: session.tickets, maxClockSkewMs: 100 })
  /** @type {import('leasehold/lease').Lease[]} */
  const kept = []
  await inParallel(
    Array.from({ length: count }, (_, i) => i),
    16,
    async (i) => kept.push(await leases.acquire(`bench/kept/${i}`, { ttlSeconds, value: String(i) })),
  )
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const samples = []
  for (let minute = 0; minute < minutes; minute++) {
    const before = process.cpuUsage()
    delay.reset()
    await new Promise((resolve) => setTimeout(resolve, 60_000))
    const { user, system } = process.cpuUsage(before)
    const lateMs = delay.max / 1e6
    globalThis.gc?.()
    const { heapUsed, rss } = process.memoryUsage()
    samples.push({ cpuMs: (user + system) / 1_000, heapMb: heapUsed / 2 ** 20, rssMb: rss / 2 ** 20, lateMs })
  }
  const views = []
  await inParallel(kept, 16, async (lease) => {
    const view = await leases.protocol.read(lease.name)
    views.push(lease.held && view?.owner === lease.owner)
  })
  const lost = views.filter((isHeld) => !isHeld).length + (count - views.length)
  await leases.close()
  await session.close()
  console.log(JSON.stringify({ lost, samples }))
}

if (process.argv[2] === 'keep') await keep()
