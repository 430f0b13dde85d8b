/**
 * What the requests of the fuzzer find: people and tokens of every role, leases in every table, a queue, an election.
 */
import cassandra from 'cassandra-driver'

export const PASSWORD = 'generated, not guessed'
/** People whose sessions a request may end, of each role. */
const SPARES = 6
/** Operators who keep a run of the lab going, for requests to act on. */
const LAB_PEOPLE = 2
const NAMES = ['fuzz/a', 'fuzz/b', 'fuzz/c d', 'fuzz/ü/%2F', 'two/a', 'leasehold/own']
const OWNERS = ['one', 'two', 'drei:ß']

/** A table without an owner column, one without a value, one that is read-only; a prefix that needs two people. */
export const consoleConfig = JSON.stringify({
  tables: {
    bare: { table: 'bare_lock', name: 'lockname', owner: null },
    elections: { table: 'leader', name: 'grp', owner: 'leader_id', defaultTtlSeconds: 60 },
    frozen: { table: 'frozen', name: 'name', owner: 'owner', value: 'value', readOnly: true },
  },
  secondPersonFor: ['two/'],
})

/**
 * @param {import('../cassandra/node.mjs').CassandraNode} node
 * @param {string} keyspace
 */
export async function makeTables(node, keyspace) {
  const client = new cassandra.Client({
    contactPoints: [node.contactPoint],
    localDataCenter: 'datacenter1',
    credentials: node.roles.schema,
    protocolOptions: { maxVersion: 4 },
  })
  try {
    await client.execute(
      `CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}`,
    )
    for (const columns of [
      'bare_lock (lockname text PRIMARY KEY)',
      'leader (grp text PRIMARY KEY, leader_id text)',
      'frozen (name text PRIMARY KEY, owner text, value text)',
    ])
      await client.execute(`CREATE TABLE ${keyspace}.${columns}`)
    await client.execute(
      `INSERT INTO ${keyspace}.frozen (name, owner, value) VALUES ('fuzz/a', 'one', 'v') USING TTL 86400`,
    )
  } finally {
    await client.shutdown()
  }
}

/** @param {string} word @param {number} length */
const numbered = (word, length) => Array.from({ length }, (_, i) => `${word}-${i}`)

/**
 * @param {string} url
 * @returns {Promise<object>} what caller.py works with
 */
export async function seedConsole(url) {
  /** @type {Record<string, string>} */
  const headers = { origin: url, 'content-type': 'application/json' }
  /** @param {string} method @param {string} path @param {unknown} [body] */
  const api = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    const cookie = response.headers.get('set-cookie')?.split(';')[0]
    if (cookie) headers.cookie = cookie
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  await api('POST', '/v1/session', { username: 'admin', password: PASSWORD })
  await api('POST', '/v1/session/elevation', { password: PASSWORD })
  for (const role of ['viewer', 'operator', 'admin'])
    for (const part of ['main', ...numbered('spare', SPARES)])
      await api('POST', '/v1/users', { username: `${role}-${part}`, password: PASSWORD, role })
  const labPeople = numbered('operator-lab', LAB_PEOPLE)
  for (const username of labPeople)
    await api('POST', '/v1/users', { username, password: PASSWORD, role: 'operator' })
  // Whom requests may demote, disable, and give another password.
  const victims = ['victim-1', 'victim-2']
  for (const username of victims)
    await api('POST', '/v1/users', { username, password: PASSWORD, role: 'operator' })
  /** @type {Record<string, string>} */
  const tokens = {}
  /** @type {string[]} */
  const tokenIds = []
  for (const [name, role, prefix] of [
    ['viewer-token', 'viewer', ''],
    ['client-token', 'client', ''],
    ['scoped-token', 'client', 'fuzz/'],
  ]) {
    const made = await api('POST', '/v1/tokens', { name, role, prefixes: [prefix] })
    tokens[name] = made.token
    tokenIds.push(made.id)
  }
  const revocable = await api('POST', '/v1/tokens', { name: 'revocable', role: 'viewer', prefixes: ['x'] })
  for (const [i, name] of NAMES.slice(0, 3).entries())
    await api('PUT', `/v1/locks/${encodeURIComponent(name)}`, { owner: OWNERS[i], ttlSeconds: 86_400 })
  await api('PUT', `/v1/locks/${encodeURIComponent('fuzz/a')}?table=bare`, { ttlSeconds: 86_400 })
  await api('POST', '/v1/elections/fuzz%2Fgroup', { owner: 'one', ttlSeconds: 86_400 })
  return {
    spares: SPARES,
    labPeople,
    tokens,
    tokenIds,
    tables: ['leases', 'leases', 'bare', 'elections', 'frozen'],
    known: {
      name: NAMES,
      group: ['fuzz/group', ...NAMES],
      owner: OWNERS,
      since: OWNERS,
      prefix: ['', 'fuzz/', 'two/'],
      username: victims,
      id: [revocable.id],
    },
  }
}
