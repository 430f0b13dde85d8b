/**
 * Claims: Cassandra is asked at most 1.05 times as much for 200 viewers, and for 500, (as many sessions, 20 pages, orders and
 * filters) as for one; `GET /v1/leases?limit=50` takes at most 1.3 times as long with 100,000 leases as with 1,000, in each order,
 * and less than a second; 10,000 stand beside them; with 100,000, 1,000 of them renewed every three seconds, the server holds less than 500 MB, and what the
 * console asks costs Cassandra at most half a core: the difference to the same renewals while the console stands still.
 */

import {
  adminOf,
  cores,
  list,
  memoryOf,
  namesOf,
  openStreams,
  pause,
  readsOf,
  renewing,
  scanned,
  seed,
  signIn,
} from '../load/watch-load.mjs'
import { summary } from '../measure.mjs'

const orders = ['trouble', 'left', 'name', 'owner', 'held']
const people = 25
const claimed = { viewers: 1.05, list: 1.3, pageMs: 1_000, megabytes: 500, cores: 0.5 }
const full = {
  few: 1_000,
  middle: 10_000,
  many: 100_000,
  renewed: 1_000,
  viewers: [1, 200, 500],
  sessions: 20,
  rounds: 40,
  countedMs: 45_000,
}
const quick = {
  few: 100,
  middle: 500,
  many: 2_000,
  renewed: 100,
  viewers: [1, 20, 50],
  sessions: 2,
  rounds: 5,
  countedMs: 10_000,
}

/** @param {import('../measure.mjs').Bench} bench */
export async function watch(bench) {
  const { keyspace, pids, isQuick } = bench
  const { few, middle, many, renewed, viewers, sessions, rounds, countedMs } = isQuick ? quick : full
  const names = namesOf('watch', many)
  const admin = await adminOf(bench)
  try {
    const counted = async () => {
      const before = await readsOf(admin, keyspace)
      const used = await cores(pids, countedMs)
      return { reads: (await readsOf(admin, keyspace)) - before, ...used }
    }
    await seed(bench, names.slice(0, few))
    await scanned(bench, few)
    const cookies = await signIn(bench, people, sessions)
    // New leases are confirmed once; then what is left to confirm is what viewers look at.
    await pause(few * 20)
    // Every twentieth looks at the same page: the first one sees what the others see.
    const asked = []
    for (const count of viewers) {
      const leave = await openStreams(bench, cookies.slice(0, count))
      await pause(5_000)
      asked.push({ count, ...(await counted()), megabytes: memoryOf(pids.server) })
      leave()
    }
    // Pages of each size while as many watch.
    const leaveAll = await openStreams(bench, cookies.slice(0, viewers[1]))
    const withFew = await pages(bench, rounds)
    const sizes = [{ count: few, pages: withFew, megabytes: memoryOf(pids.server) }]
    let scan = { rows: 0, tookMs: 0 }
    for (const [from, count] of [
      [few, middle],
      [middle, many],
    ]) {
      await seed(bench, names.slice(from, count))
      scan = await scanned(bench, count)
      sizes.push({ count, pages: await pages(bench, rounds), megabytes: memoryOf(pids.server) })
    }
    const withMany = sizes.at(-1).pages
    const renewals = renewing(bench, names.slice(0, renewed))
    // The new leases are confirmed: a hundred a second.
    await pause(Math.min(countedMs, 30_000))
    const large = await counted()
    const megabytes = memoryOf(pids.server)
    const without = await whileStill(pids.server, () => cores({ node: pids.node }, countedMs / 3))
    const rate = renewals.rate()
    await renewals.stop()
    leaveAll()

    const scanCores = large.node - without.node
    const one = asked[0].reads
    const ratios = orders.map((order) => withMany.get(order).p50 / withFew.get(order).p50)
    const slowest = Math.max(...orders.map((order) => withMany.get(order).p95))
    const ratio = { viewers: Math.max(...asked.map(({ reads }) => reads / one)), list: Math.max(...ratios) }
    const core = (share) => share.toFixed(2)
    return {
      title: `GET /v1/leases and /v1/watch, with ${few} to ${many} leases, 1 to ${viewers.at(-1)} viewers`,
      rows: orders.flatMap((order) =>
        sizes.map(({ count, pages }) => [`a page of 50 by ${order}, ${count} leases`, pages.get(order)]),
      ),
      notes: [
        `scan of ${scan.rows} rows: ${Math.round(scan.tookMs)} ms`,
        ...asked.map(
          ({ count, reads, server, node, megabytes }) =>
            `${few} leases, ${count} ${count === 1 ? 'viewer' : 'viewers'}, ${countedMs / 1000} s: ${reads} reads; server ${core(server)} of a core and ${megabytes} MB, Cassandra ${core(node)} of a core`,
        ),
        `memory of the server with ${viewers[1]} viewers: ${sizes
          .map(({ count, megabytes }) => `${megabytes} MB with ${count} leases`)
          .join(', ')}`,
        `with ${many}, ${Math.round(rate)} renewals a second and ${viewers[1]} viewers: server ${core(large.server)} of a core, Cassandra ${core(large.node)}; while the console stands still ${core(without.node)}`,
      ],
      claim: `reads ${ratio.viewers.toFixed(2)} (at most ${claimed.viewers}), pages ${ratio.list.toFixed(2)} (at most ${claimed.list}), a page within ${slowest.toFixed(0)} ms (p95; below ${claimed.pageMs}), memory ${megabytes} MB (below ${claimed.megabytes}), Cassandra for scans and confirmations ${core(scanCores)} of a core (at most ${claimed.cores})`,
      holds:
        ratio.viewers <= claimed.viewers &&
        ratio.list <= claimed.list &&
        slowest < claimed.pageMs &&
        megabytes < claimed.megabytes &&
        scanCores <= claimed.cores,
    }
  } finally {
    await admin.shutdown()
  }
}

/** Pages of each order, one order after the other in turn. */
async function pages(bench, rounds) {
  const tookMs = new Map(orders.map((order) => [order, []]))
  // The first two of each make its view.
  for (let round = -2; round < rounds; round++)
    for (const order of orders) {
      const page = await list(bench, `limit=50&sort=${order}`)
      if (round >= 0) tookMs.get(order).push(page.tookMs)
    }
  return new Map(orders.map((order) => [order, summary(tookMs.get(order))]))
}

/** While this process, which the bench has started, does nothing. */
async function whileStill(pid, work) {
  process.kill(pid, 'SIGSTOP')
  try {
    await pause(1_000)
    return await work()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}
