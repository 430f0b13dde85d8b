/** Leases in every state that a picture shows, and people who released some of them. */
import cassandra from 'cassandra-driver'

const people = {
  ann: { username: 'ann', password: 'a password of ann', role: 'operator' },
  ben: { username: 'ben', password: 'a password of ben', role: 'operator' },
}

/** Held and renewed: name, owner, value, TTL in seconds. @type {[string, string, string, number][]} */
const held = [
  ['billing/dunning', 'ip-10-0-3-21:4122:7f0c5e21a9d4:2k', 'cursor=acct_0091f3', 30],
  ['cdc/shard-00', 'ip-10-0-4-8:981:5be01c77f2a3:9', 'offset=90417755', 30],
  ['cdc/shard-01', 'ip-10-0-4-9:975:c02d4e6610bb:4', 'offset=90418002', 30],
  ['cdc/shard-02', 'ip-10-0-4-9:975:1f8894ad0e57:5', 'offset=90399120', 30],
  ['mail/outbox-sweeper', 'mailer-5c6b:1:0f2d77e1b6c8:3', '', 60],
  ['media/transcode/slot-3', 'gpu-03:19907:bb4e0a65d1f9:7', 'job=01JD3V9QW2/4k.mov', 180],
  ['orders/rebalance', 'ip-10-0-5-2:77:2ab94c0de813:1', 'epoch=412', 30],
  ['scheduler/leader', 'ip-10-0-3-17:4122:e1c45d90aa27:i', 'epoch=18', 15],
  ['search/primary-writer', 'ip-10-0-5-2:77:90d1be7c33f6:6', 'segment=4411', 30],
  ['tenants/migrate/łódź-07', 'migrator-0:1:e9aa51cf0d28:8', 'step=copy 61 %', 60],
  ['tenants/migrate/zürich-02', 'migrator-1:1:77d03be8f14c:8', 'step=verify', 60],
]
/** Held, and not renewed any more. */
export const atRisk = {
  name: 'billing/invoice-run',
  owner: 'ip-10-0-3-17:4122:4c1be07d59a2:1z',
  value: 'batch=2026-11-20T03:00Z;page=1184;of=2090',
  ttlSeconds: 75,
}
const broken = { name: 'search/reindex', owner: 'ip-10-0-6-4:2210:8d55f7e9c0b1:3', ttlSeconds: 180 }

export class DemoLeases {
  /** The administrator's cookie. */
  session = ''
  #token = ''
  /** @type {NodeJS.Timeout | undefined} */
  #renewals
  #url
  #password
  #connection

  /**
   * @param {string} url
   * @param {string} password
   * @param {{ contactPoints: string[], keyspace: string, username: string, password: string }} connection
   */
  constructor(url, password, connection) {
    this.#url = url
    this.#password = password
    this.#connection = connection
  }

  /** Makes them, and goes on renewing those that are held. */
  async begin() {
    const admin = await this.#signIn({ username: 'admin', password: this.#password })
    for (const person of Object.values(people)) await admin('POST', '/v1/users', person)
    const made = await admin('POST', '/v1/tokens', { name: 'platform', prefixes: [''] })
    this.#token = made.token
    await Promise.all(held.map((lease) => this.#hold(...lease)))
    this.#renewals = setInterval(() => {
      for (const [name, owner, , ttlSeconds] of held)
        this.#put(name, { owner, ttlSeconds, renewOnly: true }).catch(() => {})
    }, 4_000)
    await this.#foreignLeases()

    const [ann, ben] = await Promise.all([this.#signIn(people.ann), this.#signIn(people.ben)])
    await release(ann, 'orders/rebalance', 'ask', 'INC-4470: rebalance stands still')
    await this.#hold('reports/export', 'reports-7d9f:1:a81c40be22d7:5', 'run=20261120', 180)
    await release(admin, 'reports/export', 'kill', 'INC-4471: holder on a drained host')
    await this.#hold(atRisk.name, atRisk.owner, atRisk.value, atRisk.ttlSeconds)
    await this.#hold(broken.name, broken.owner, '', broken.ttlSeconds)
    await release(ben, broken.name, 'break', 'INC-4473: reindex writes to the old cluster')
  }

  async end() {
    clearInterval(this.#renewals)
  }

  /** What clients of other kinds leave behind. */
  async #foreignLeases() {
    const { consistencies } = cassandra.types
    const { contactPoints, keyspace, username, password } = this.#connection
    const client = new cassandra.Client({
      contactPoints,
      keyspace,
      localDataCenter: 'datacenter1',
      credentials: { username, password },
      protocolOptions: { maxVersion: 4 },
      queryOptions: { consistency: consistencies.quorum, serialConsistency: consistencies.serial },
    })
    const insert = (/** @type {string} */ values, /** @type {number} */ ttlSeconds) =>
      client.execute(
        `INSERT INTO leases (name, owner, value) VALUES (${values}) IF NOT EXISTS USING TTL ${ttlSeconds}`,
      )
    try {
      await insert("'cdc/shard-11', 'ip-10-0-4-8:981', 'offset=71004412'", 2)
      await client.execute(
        "UPDATE leases USING TTL 1800 SET value = 'offset=71004412' WHERE name = 'cdc/shard-11' IF owner = 'ip-10-0-4-8:981'",
      )
      await insert("'reports/nightly', 'reports-7d9f', 'run=20261120'", 240)
      await client.execute(
        "UPDATE leases USING TTL 300 SET owner = 'reports-7d9f' WHERE name = 'reports/nightly' IF owner = 'reports-7d9f'",
      )
      await insert("'legacy/cron-lock', 'ops-box-1', null", 0)
    } finally {
      await client.shutdown()
    }
  }

  /** @param {{ username: string, password: string }} who */
  async #signIn({ username, password }) {
    let cookie = ''
    const send = async (
      /** @type {string} */ method,
      /** @type {string} */ path,
      /** @type {unknown} */ body,
    ) => {
      const answer = await request(this.#url + path, method, body, { origin: this.#url, cookie })
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      if (username === 'admin') this.session = cookie
      return bodyOf(answer)
    }
    await send('POST', '/v1/session', { username, password })
    await send('POST', '/v1/session/elevation', { password })
    return send
  }

  /** @param {string} name @param {string} owner @param {string} value @param {number} ttlSeconds */
  #hold(name, owner, value, ttlSeconds) {
    return this.#put(name, value === '' ? { owner, ttlSeconds } : { owner, ttlSeconds, value })
  }

  /** @param {string} name @param {object} lock */
  async #put(name, lock) {
    const path = `/v1/locks/${encodeURIComponent(name)}`
    const headers = { authorization: `Bearer ${this.#token}` }
    return bodyOf(await request(this.#url + path, 'PUT', lock, headers))
  }
}

/**
 * @param {(method: string, path: string, body: unknown) => Promise<any>} send
 * @param {string} name
 * @param {'ask' | 'break' | 'kill'} mode
 * @param {string} reason
 */
async function release(send, name, mode, reason) {
  const path = `/v1/leases/${encodeURIComponent(name)}`
  const { plan } = await send('POST', `${path}/release-plan`, {})
  await send('POST', `${path}/release`, { plan, mode, reason, confirmName: name })
}

/** @param {string} url @param {string} method @param {unknown} body @param {Record<string, string>} headers */
const request = (url, method, body, headers) =>
  fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** @param {Response} answer */
async function bodyOf(answer) {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}
