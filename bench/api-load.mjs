/** The load of `api.mjs`: a process of its own; messages say what to send, how much at once and for how long. */
const leaseColumns = 'owner, value, writetime(owner), ttl(owner), ttl(value), toUnixTimestamp(now())'
const tokenColumns = 'id, name, secret_hash, role, prefixes, created_by, created_at'
const heldSeconds = 3_600
const ttlSeconds = 60

/** One of each act, by sender. @typedef {Record<'GET' | 'PUT + DELETE', (sender: number, withToken: boolean) => Promise<unknown>>} Acts */

/** @type {Acts} */
let acts

process.on('message', async (/** @type {any} */ message) => {
  try {
    if (message.kind !== undefined) {
      acts = message.kind === 'http' ? await overHttp(message) : await overDriver(message)
      process.send?.({})
    } else process.send?.(await run(message))
  } catch (thrown) {
    process.send?.({ error: String(thrown.stack) })
  }
})

/** @param {{ act: keyof Acts, width: number, ms: number, withToken: boolean }} wanted */
async function run({ act, width, ms, withToken }) {
  const samplesMs = []
  const beganMs = performance.now()
  const sender = async (_, i) => {
    for (let startedMs = performance.now(); startedMs - beganMs < ms; startedMs = performance.now()) {
      await acts[act](i, withToken)
      samplesMs.push(performance.now() - startedMs)
    }
  }
  await Promise.all(Array.from({ length: width }, sender))
  return { samplesMs, perSecond: (samplesMs.length / (performance.now() - beganMs)) * 1000 }
}

/** @returns {Promise<Acts>} */
async function overHttp({ url, tokens }) {
  const { Pool } = await import('undici')
  const pool = new Pool(url, { connections: tokens.length })
  let turn = 0
  const send = async (method, path, status, body) => {
    const answer = await pool.request({
      method,
      path,
      body: body === undefined ? null : JSON.stringify(body),
      headers: {
        // In turn: one sender alone is faster than the limit of one token.
        authorization: `Bearer ${tokens[turn++ % tokens.length]}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    })
    const text = await answer.body.text()
    if (answer.statusCode !== status)
      throw new Error(`${method} ${path} answered ${answer.statusCode}, not ${status}: ${text}`)
    return text
  }
  for (const sender of tokens.keys())
    await send('PUT', `/v1/locks/api%2Fheld-${sender}`, 201, { ttlSeconds: heldSeconds, value: 'v' })
  return {
    GET: (sender) => send('GET', `/v1/locks/api%2Fheld-${sender}`, 200),
    'PUT + DELETE': async (sender) => {
      const path = `/v1/locks/api%2Fpair-${sender}`
      const { owner } = JSON.parse(await send('PUT', path, 201, { ttlSeconds, value: 'v' }))
      await send('DELETE', `${path}?owner=${encodeURIComponent(owner)}`, 204)
    },
  }
}

/** @returns {Promise<Acts>} */
async function overDriver({ contactPoint, keyspace, tokenIds, username, password }) {
  const { default: cassandra } = await import('cassandra-driver')
  const { connect } = await import('leasehold/cassandra')
  const { consistencies } = cassandra.types
  const { client } = await connect({
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    username,
    password,
  })
  const execute = (cql, values, consistency) =>
    client.execute(cql, values, { prepare: true, consistency, serialConsistency: consistencies.serial })
  const lease = (name) =>
    execute(`SELECT ${leaseColumns} FROM ${keyspace}.leases WHERE name = ?`, [name], consistencies.serial)
  const token = (sender, withToken) =>
    withToken &&
    execute(
      `SELECT ${tokenColumns} FROM ${keyspace}.api_tokens WHERE id = ?`,
      [tokenIds[sender]],
      consistencies.quorum,
    )
  const conditional = async (cql, values) => {
    const { rows } = await execute(`${cql} IF owner = ?`, values, consistencies.quorum)
    if (rows[0]?.['[applied]'] !== true) throw new Error(`${cql} was not applied`)
  }
  let acquisitions = 0
  return {
    GET: (sender, withToken) => Promise.all([token(sender, withToken), lease(`api/held-${sender}`)]),
    // The statements of an acquisition: nothing is written before the token was found; the token of the tenure is read
    // at SERIAL.
    'PUT + DELETE': async (sender, withToken) => {
      const name = `api/bare-${sender}`
      const owner = `bare:${process.pid}:${++acquisitions}`
      await token(sender, withToken)
      await conditional(`UPDATE ${keyspace}.leases USING TTL ? SET owner = ?, value = ? WHERE name = ?`, [
        ttlSeconds,
        owner,
        'v',
        name,
        null,
      ])
      await lease(name)
      await token(sender, withToken)
      await conditional(`DELETE FROM ${keyspace}.leases WHERE name = ?`, [name, owner])
    },
  }
}
