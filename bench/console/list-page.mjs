/**
 * Claim: with 500 leases, `GET /v1/leases?limit=50` takes at most twice what 50 SERIAL reads through the bare driver
 * take at the same concurrency. Both are measured in turn, in one run: A B A B …
 */
import { inParallel, summary } from '../measure.mjs'

const leases = 500
const limit = 50
const rounds = 300

/** @param {import('../measure.mjs').Bench} bench */
export async function listPage({ client, consistencies, keyspace, url, headers }) {
  const names = Array.from({ length: leases }, (_, i) => `bench/${i}`)
  const acquire = `UPDATE ${keyspace}.leases USING TTL 3600 SET owner = 'bench', value = 'v' WHERE name = ? IF owner = null`
  await inParallel(names, 16, (name) =>
    client.execute(acquire, [name], { prepare: true, consistency: consistencies.quorum }),
  )

  const select = `SELECT owner, value, writetime(owner), ttl(owner), ttl(value), toUnixTimestamp(now()) FROM ${keyspace}.leases WHERE name = ?`
  const serial = { prepare: true, consistency: consistencies.serial }
  /** @param {string[]} page */
  const bare = async (page) => {
    const startedMs = performance.now()
    await inParallel(page, 32, (name) => client.execute(select, [name], serial))
    return performance.now() - startedMs
  }
  /** @param {string} cursor */
  const page = async (cursor) => {
    const startedMs = performance.now()
    const response = await fetch(`${url}/v1/leases?limit=${limit}${cursor && `&cursor=${cursor}`}`, {
      headers,
    })
    const body = await response.json()
    const tookMs = performance.now() - startedMs
    if (body.leases.length !== limit)
      throw new Error(`${body.leases.length} leases, not ${limit}: ${JSON.stringify(body).slice(0, 200)}`)
    return {
      tookMs,
      names: body.leases.map((lease) => lease.name),
      next: body.nextCursor ?? '',
    }
  }

  // The list shows what the last scan saw.
  for (;;) {
    const { scan } = await (await fetch(`${url}/v1/leases?limit=1`, { headers })).json()
    if (scan.rows >= leases) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }

  const bareMs = []
  const pageMs = []
  let cursor = ''
  for (let round = -50; round < rounds; round++) {
    const answer = await page(cursor)
    const reference = await bare(answer.names)
    cursor = answer.next
    // The first fifty are for the compilers.
    if (round < 0) continue
    pageMs.push(answer.tookMs)
    bareMs.push(reference)
  }
  const [api, driver] = [summary(pageMs), summary(bareMs)]
  return {
    title: `GET /v1/leases?limit=${limit} with ${leases} leases, ${rounds} rounds`,
    rows: [
      ['the request', api],
      [`${limit} SERIAL reads, bare driver, 32 at once`, driver],
    ],
    claim: `request / bare driver: ${(api.p50 / driver.p50).toFixed(2)} at the median (claimed: at most 2)`,
    holds: api.p50 <= 2 * driver.p50,
  }
}
