/**
 * Claims: what Cassandra is asked does not depend on the number of viewers (200 ask for at most 1.05 times the reads of one);
 * `GET /v1/leases?limit=50`, in any order, takes at most 1.3 times as long with 100,000 leases as with 1,000; the server then
 * holds less than 500 MB, and the scans and confirmations take at most half a core of Cassandra.
 */
import { readFileSync } from 'node:fs'
import cassandra from 'cassandra-driver'
import { readsAtOnce, summary } from './measure.mjs'

const few = 1_000
const many = 100_000
const rounds = 100
const orders = ['trouble', 'left', 'name', 'owner', 'held']
const viewers = 200
const streamsOfOne = 20
const countedMs = 30_000
const claimed = { viewers: 1.05, list: 1.3, megabytes: 500, cores: 0.5 }

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {import('./measure.mjs').Bench} bench */
export async function watch({
  client,
  consistencies,
  keyspace,
  url,
  headers,
  password,
  roles,
  contactPoint,
  pids,
}) {
  const admin = new cassandra.Client({
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    credentials: roles.admin,
  })
  await admin.connect()
  try {
    const names = Array.from({ length: many }, (_, i) => `watch/${String(i).padStart(6, '0')}`)
    const acquire = `UPDATE ${keyspace}.leases USING TTL 36000 SET owner = ?, value = 'v' WHERE name = ? IF owner = null`
    const write = { prepare: true, consistency: consistencies.quorum }
    const seed = (some) =>
      readsAtOnce(some, 32, (name) => client.execute(acquire, [`host-${name.slice(-2)}`, name], write))
    const list = async (query) => {
      const startedMs = performance.now()
      const response = await fetch(`${url}/v1/leases?${query}`, { headers })
      const body = await response.json()
      if (response.status !== 200) throw new Error(JSON.stringify(body))
      return { body, tookMs: performance.now() - startedMs }
    }
    /** Once a scan has shown so many. */
    const scanned = async (count) => {
      for (;;) {
        const { body } = await list('limit=1')
        if (body.scan.rows >= count) return body.scan
        await pause(500)
      }
    }
    const pages = async () => {
      const tookMs = []
      for (let round = -orders.length * 2; round < rounds; round++) {
        const page = await list(`limit=50&sort=${orders[(round + orders.length * 2) % orders.length]}`)
        // The first ones make the views.
        if (round >= 0) tookMs.push(page.tookMs)
      }
      return summary(tookMs)
    }

    const tokens = await makeTokens(url, headers, password)
    const counted = async () => {
      const before = {
        reads: await readsOf(admin, keyspace),
        node: cpuMs(pids.node),
        server: cpuMs(pids.server),
      }
      await pause(countedMs)
      const share = (from, pid) => (cpuMs(pid) - from) / countedMs
      return {
        reads: (await readsOf(admin, keyspace)) - before.reads,
        node: share(before.node, pids.node),
        server: share(before.server, pids.server),
      }
    }
    await seed(names.slice(0, few))
    await scanned(few)
    const withFew = await pages()
    // New leases are confirmed once; then what is left to confirm is what viewers look at.
    await pause(few * 20)
    const first = await openStreams(url, tokens, 1)
    await pause(5_000)
    const one = await counted()
    const more = await openStreams(url, tokens, viewers - 1, 1)
    await pause(5_000)
    const all = await counted()

    await seed(names.slice(few))
    const scan = await scanned(many)
    const withMany = await pages()
    const large = await counted()
    for (const stream of [...first, ...more]) stream.abort()

    const megabytes = memoryOf(pids.server)
    const ratio = { viewers: all.reads / one.reads, list: withMany.p50 / withFew.p50 }
    return {
      title: `GET /v1/leases and /v1/watch, with ${few} and ${many} leases, one viewer and ${viewers}`,
      rows: [
        [`a page of 50, any order, ${few} leases`, withFew],
        [`a page of 50, any order, ${many} leases`, withMany],
      ],
      notes: [
        `scan of ${scan.rows} rows: ${Math.round(scan.tookMs)} ms; so a row is at most ${Math.round((scan.tookMs * 6) / 100) / 10} s old`,
        `reads of ${few} leases in ${countedMs / 1000} s: ${one.reads} with one viewer, ${all.reads} with ${viewers}`,
        `with ${many} and ${viewers} viewers: server ${megabytes} MB and ${large.server.toFixed(2)} of a core, Cassandra ${large.node.toFixed(2)} of a core`,
        `with ${few}: server ${one.server.toFixed(2)} of a core with one viewer, ${all.server.toFixed(2)} with ${viewers}; Cassandra ${one.node.toFixed(2)} and ${all.node.toFixed(2)}`,
      ],
      claim: `reads ${ratio.viewers.toFixed(2)} (at most ${claimed.viewers}), pages ${ratio.list.toFixed(2)} (at most ${claimed.list}), memory ${megabytes} MB (below ${claimed.megabytes}), Cassandra ${large.node.toFixed(2)} of a core (at most ${claimed.cores})`,
      holds:
        ratio.viewers <= claimed.viewers &&
        ratio.list <= claimed.list &&
        megabytes < claimed.megabytes &&
        large.node <= claimed.cores,
    }
  } finally {
    await admin.shutdown()
  }
}

/** Programs of their own: one may have so many streams and no more. */
async function makeTokens(url, headers, password) {
  const post = (path, body, cookie) =>
    fetch(`${url}${path}`, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify(body) })
  const cookieIn = (answer) => (answer.headers.get('set-cookie') ?? '').split(';')[0]
  // A session of its own: the elevation ends it, and the other benches go on with theirs.
  const session = cookieIn(await post('/v1/session', { username: 'admin', password }, ''))
  const elevated = cookieIn(await post('/v1/session/elevation', { password }, session))
  const made = await Promise.all(
    Array.from({ length: viewers / streamsOfOne }, (_, i) =>
      post('/v1/tokens', { name: `bench-watch-${i}`, role: 'viewer', prefixes: [''] }, elevated),
    ),
  )
  return Promise.all(made.map(async (answer) => (await answer.json()).token))
}

/** Streams of twenty different windows. @param from the number of the first */
async function openStreams(url, tokens, count, from = 0) {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const number = from + i
      const leaving = new AbortController()
      const sort = orders[number % orders.length]
      const offset = (Math.floor(number / orders.length) % 4) * 75
      const response = await fetch(`${url}/v1/watch?sort=${sort}&offset=${offset}&limit=75`, {
        headers: { authorization: `Bearer ${tokens[Math.floor(number / streamsOfOne)]}` },
        signal: leaving.signal,
      })
      if (response.status !== 200) throw new Error(await response.text())
      void read(response.body)
      return leaving
    }),
  )
}

async function read(body) {
  try {
    for await (const _ of body);
  } catch {
    // The bench has left.
  }
}

/** Statements on the leases that read them, since the node began. */
async function readsOf(admin, keyspace) {
  let count = 0
  for (const table of ['coordinator_read_latency', 'coordinator_scan_latency']) {
    const { rows } = await admin.execute(`SELECT keyspace_name, table_name, count FROM system_views.${table}`)
    for (const row of rows)
      if (row.keyspace_name === keyspace && row.table_name === 'leases') count += Number(row.count)
  }
  return count
}

/** The time that a process has had of the processors, in milliseconds. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const memoryOf = (pid) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
