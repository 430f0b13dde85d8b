/** What the benchmarks of the watch share: leases that are there and that are renewed, people who watch, and processors. */
import { readFileSync } from 'node:fs'
import cassandra from 'cassandra-driver'
import { inParallel, processorMs } from '../measure.mjs'

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export const namesOf = (prefix, count) =>
  Array.from({ length: count }, (_, i) => `${prefix}/${String(i).padStart(6, '0')}`)
const ownerOf = (name) => `host-${name.slice(-2)}`

/** Acquires these leases for an hour, by plain CQL. */
export async function seed({ client, consistencies, keyspace }, names) {
  const acquire = `UPDATE ${keyspace}.leases USING TTL 3600 SET owner = ?, value = 'v' WHERE name = ? IF owner = null`
  const options = { prepare: true, consistency: consistencies.quorum }
  await inParallel(names, 32, (name) => client.execute(acquire, [ownerOf(name), name], options))
}

/** Renews each of these leases every three seconds, evenly, until it is stopped. */
export function renewing({ client, consistencies, keyspace }, names, everyMs = 3_000) {
  const renew = `UPDATE ${keyspace}.leases USING TTL 3600 SET owner = ?, value = 'v' WHERE name = ? IF owner = ? AND value = 'v'`
  const options = { prepare: true, consistency: consistencies.quorum }
  let done = 0
  let isOn = true
  let stoppedMs = 0
  const startedMs = performance.now()
  const underWay = new Set()
  const run = async () => {
    for (let i = 0; isOn; i++) {
      const dueMs = startedMs + (i * everyMs) / names.length
      if (dueMs > performance.now()) await pause(dueMs - performance.now())
      if (underWay.size >= 64) await Promise.race(underWay)
      const name = names[i % names.length]
      const renewal = client.execute(renew, [ownerOf(name), name, ownerOf(name)], options).then(
        () => done++,
        () => {},
      )
      underWay.add(renewal)
      void renewal.finally(() => underWay.delete(renewal))
    }
    await Promise.all(underWay)
  }
  const ended = run()
  return {
    /** Renewals a second, until now or until it was stopped. */
    rate: () => (done * 1000) / ((stoppedMs || performance.now()) - startedMs),
    stop: () => {
      isOn = false
      stoppedMs = performance.now()
      return ended
    },
  }
}

/** One page of the API. */
export async function list({ url, headers }, query) {
  const startedMs = performance.now()
  const response = await fetch(`${url}/v1/leases?${query}`, { headers })
  const body = await response.json()
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  return { body, tookMs: performance.now() - startedMs }
}

/** Once a scan has shown so many rows. @returns what the scan cost */
export async function scanned(bench, count) {
  for (;;) {
    const { body } = await list(bench, 'limit=1')
    if (body.scan.rows >= count) return body.scan
    await pause(500)
  }
}

/** Sessions of people of their own: one person may have so many streams. @returns their cookies */
export async function signIn({ url, headers, password }, people, sessionsOfOne) {
  const post = async (path, body, cookie) => {
    for (;;) {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...headers, cookie },
        body: JSON.stringify(body),
      })
      if (answer.status !== 429) return answer
      await pause(Number(answer.headers.get('retry-after') ?? 1) * 1000)
    }
  }
  const cookieIn = (answer) => (answer.headers.get('set-cookie') ?? '').split(';')[0]
  // A session of its own: the elevation ends it, and the other benches go on with theirs.
  const session = cookieIn(await post('/v1/session', { username: 'admin', password }, ''))
  const elevated = cookieIn(await post('/v1/session/elevation', { password }, session))
  const cookies = []
  for (let i = 0; i < people; i++) {
    const person = { username: `watcher-${Date.now().toString(36)}-${i}`, password: `${password} too` }
    const made = await post('/v1/users', { ...person, role: 'viewer' }, elevated)
    if (made.status !== 201) throw new Error(`${made.status} ${await made.text()}`)
    for (let j = 0; j < sessionsOfOne; j++) cookies.push(cookieIn(await post('/v1/session', person, '')))
  }
  return cookies
}

const orders = ['trouble', 'left', 'name', 'owner', 'held']
const parts = ['offset=0', 'offset=75', 'q=host-1', 'state=held']
/** Twenty pages: each order, with the first rows, later ones, a search and a filter. */
export const twentyPages = orders.flatMap((sort) => parts.map((part) => `sort=${sort}&${part}`))

/** A stream for each of these sessions, of one of twenty pages each. @returns ends them */
export async function openStreams({ url }, cookies) {
  const leaving = new AbortController()
  const { signal } = leaving
  // Of one person's new filters and orders four may wait.
  await inParallel([...cookies.entries()], 4, async ([i, cookie]) => {
    const query = twentyPages[i % twentyPages.length]
    const response = await fetch(`${url}/v1/watch?${query}&limit=75`, { headers: { cookie }, signal })
    if (response.status !== 200) throw new Error(await response.text())
    void read(response.body)
  })
  return () => leaving.abort()
}

async function read(body) {
  try {
    for await (const _ of body);
  } catch {
    // The bench has left.
  }
}

/** A connection of the superuser, for Cassandra's own counts. */
export async function adminOf({ contactPoint, roles }) {
  const admin = new cassandra.Client({
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    credentials: roles.admin,
  })
  await admin.connect()
  return admin
}

/** Statements that read the leases, since the node began. */
export async function readsOf(admin, keyspace) {
  let count = 0
  for (const table of ['coordinator_read_latency', 'coordinator_scan_latency']) {
    const { rows } = await admin.execute(`SELECT keyspace_name, table_name, count FROM system_views.${table}`)
    for (const row of rows)
      if (row.keyspace_name === keyspace && row.table_name === 'leases') count += Number(row.count)
  }
  return count
}

/** The share of a core that each process uses in this time. @param {Record<string, number>} pids */
export async function cores(pids, forMs) {
  const before = Object.entries(pids).map(([name, pid]) => [name, processorMs(pid)])
  const startedMs = performance.now()
  await pause(forMs)
  const tookMs = performance.now() - startedMs
  return Object.fromEntries(before.map(([name, ms]) => [name, (processorMs(pids[name]) - ms) / tookMs]))
}

export const memoryOf = (pid) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
