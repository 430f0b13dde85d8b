/**
 * The load of `api.mjs` and `operations.mjs`: a process of its own; messages say what to send, how much at once and for how
 * long.
 */
const leaseColumns = 'owner, value, writetime(owner), ttl(owner), ttl(value), toUnixTimestamp(now())'
const tokenColumns = 'id, name, secret_hash, role, prefixes, created_by, created_at'
const heldSeconds = 3_600
const ttlSeconds = 60

/** One of each act, by sender. @typedef {Record<'GET' | 'renew' | 'PUT + DELETE', (sender: number, withToken: boolean) => Promise<unknown>>} Acts */

/** @type {Acts} */
let acts
const kinds = { http: overHttp, driver: overDriver, library: overLibrary }

process.once('disconnect', () => process.exit())
process.on('message', async (/** @type {any} */ message) => {
  try {
    if (message.kind !== undefined) {
      acts = await kinds[message.kind](message)
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
async function overHttp({ url, tokens, senders, prefix }) {
  const { Pool } = await import('undici')
  const pool = new Pool(url, { connections: senders })
  let turn = 0
  const send = async (method, path, status, body) => {
    // In turn: one sender alone is faster than the limit of one token.
    const headers = { authorization: `Bearer ${tokens[turn++ % tokens.length]}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const answer = await pool.request({
      method,
      path,
      body: body === undefined ? null : JSON.stringify(body),
      headers,
    })
    const text = await answer.body.text()
    if (answer.statusCode !== status)
      throw new Error(`${method} ${path} answered ${answer.statusCode}, not ${status}: ${text}`)
    return text
  }
  const path = (kind, sender) => `/v1/locks/${encodeURIComponent(`${prefix}/${kind}-${sender}`)}`
  const held = (sender) => path('held', sender)
  const owners = []
  for (let sender = 0; sender < senders; sender++) {
    const answer = await send('PUT', held(sender), 201, { ttlSeconds: heldSeconds, value: 'v' })
    owners.push(JSON.parse(answer).owner)
  }
  return {
    GET: (sender) => send('GET', held(sender), 200),
    // As the library's store over HTTP sends it.
    renew: (sender) =>
      send('PUT', held(sender), 200, {
        owner: owners[sender],
        ttlSeconds: heldSeconds,
        value: 'v',
        renewOnly: true,
      }),
    'PUT + DELETE': async (sender) => {
      const pair = path('pair', sender)
      const { owner } = JSON.parse(await send('PUT', pair, 201, { ttlSeconds, value: 'v' }))
      await send('DELETE', `${pair}?owner=${encodeURIComponent(owner)}`, 204)
    },
  }
}

/** @returns {Promise<Acts>} */
async function overDriver({ tokenIds = [], readsToken = true, prefix, ...where }) {
  const { keyspace, senders } = where
  const { default: cassandra } = await import('cassandra-driver')
  const { consistencies } = cassandra.types
  const { client } = await sessionAt(where)
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
  const acquire = (name, owner, seconds) =>
    conditional(`UPDATE ${keyspace}.leases USING TTL ? SET owner = ?, value = ? WHERE name = ?`, [
      seconds,
      owner,
      'v',
      name,
      null,
    ])
  const held = (sender) => `${prefix}/bare-held-${sender}`
  for (let sender = 0; sender < senders; sender++) await acquire(held(sender), held(sender), heldSeconds)
  let acquisitions = 0
  return {
    renew: async (sender) => {
      const { rows } = await execute(
        `UPDATE ${keyspace}.leases USING TTL ? SET owner = ?, value = ? WHERE name = ? IF owner = ? AND value = ?`,
        [heldSeconds, held(sender), 'v', held(sender), held(sender), 'v'],
        consistencies.quorum,
      )
      if (rows[0]?.['[applied]'] !== true) throw new Error(`${held(sender)} was not renewed`)
    },
    GET: (sender, withToken) => Promise.all([token(sender, withToken), lease(`${prefix}/held-${sender}`)]),
    // The statements of an acquisition: nothing is written before the token was found; the token of the tenure is read
    // at SERIAL.
    'PUT + DELETE': async (sender, withToken) => {
      const name = `${prefix}/bare-${sender}`
      const owner = `bare:${process.pid}:${++acquisitions}`
      await token(sender, withToken)
      await acquire(name, owner, ttlSeconds)
      if (readsToken) await lease(name)
      await token(sender, withToken)
      await conditional(`DELETE FROM ${keyspace}.leases WHERE name = ?`, [name, owner])
    },
  }
}

/** @returns {Promise<Acts>} */
async function overLibrary({ senders, prefix, ...where }) {
  const { Leases } = await import('leasehold/lease')
  const session = await sessionAt(where)
  const leases = new Leases(session)
  const tenures = []
  for (let sender = 0; sender < senders; sender++) {
    const outcome = await leases.protocol.tryAcquire(`${prefix}/library-held-${sender}`, {
      ttlSeconds: heldSeconds,
      value: 'v',
    })
    if (outcome.kind !== 'acquired') throw new Error(`${prefix}/library-held-${sender} is ${outcome.kind}`)
    tenures.push(outcome.tenure)
  }
  return {
    GET: (sender) => leases.read(`${prefix}/library-held-${sender}`),
    renew: async (sender) => {
      const outcome = await leases.protocol.renew(tenures[sender])
      if (outcome.kind !== 'renewed') throw new Error(`${prefix}/library-held-${sender} is ${outcome.kind}`)
    },
    'PUT + DELETE': async (sender) => {
      const lease = await leases.acquire(`${prefix}/library-${sender}`, { ttlSeconds, value: 'v' })
      await lease.release()
    },
  }
}

/** @param {any} where routes: statements on a partition go to its first live replica */
async function sessionAt({ contactPoint, keyspace, username, password, routes = false }) {
  const { connect } = await import('leasehold/cassandra')
  return connect({
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    username,
    password,
    driverOptions: routes ? { policies: { loadBalancing: await firstReplica() } } : undefined,
  })
}

async function firstReplica() {
  const { FirstReplicaPolicy } = await import('./first-replica.mjs')
  return new FirstReplicaPolicy('datacenter1')
}
