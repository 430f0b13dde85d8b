/**
 * A sign-in and a few statements over the native protocol, v4, on one socket: what setting up roles takes before the
 * driver is installed. One request at a time; statements without parameters; cells are text, boolean as `\0` or `\1`.
 *
 *     const connection = await signIn({ host, port, username: 'leasehold_admin', password })
 *     await connection.query('SELECT keyspace_name FROM system_schema.keyspaces')    // [['system'], ['leasehold'], …]
 *     connection.close()
 */
import { connect } from 'node:net'

const STARTUP = 0x01
const READY = 0x02
const AUTHENTICATE = 0x03
const QUERY = 0x07
const RESULT = 0x08
const AUTH_RESPONSE = 0x0f
const AUTH_SUCCESS = 0x10
const ERROR = 0x00

const BAD_CREDENTIALS = 0x0100
const ROWS = 2
const QUORUM = 4
const ANSWER_WITHIN_MS = 20_000

/** What Cassandra answered instead of a result. */
class CqlError extends Error {
  /** @param {number} code of the native protocol @param {string} message */
  constructor(code, message) {
    super(message)
    this.name = 'CqlError'
    this.code = code
  }
}

/** Whether a sign-in was refused, by an answer, for its name or its password. @param {unknown} error */
export const isRefusedSignIn = (error) =>
  error instanceof CqlError && error.code === BAD_CREDENTIALS && !isUncheckedSignIn(error)

/**
 * Whether Cassandra could not read its roles in time: an overloaded node answers so with the code of a wrong password.
 *
 * @param {unknown} error
 */
export const isUncheckedSignIn = (error) =>
  error instanceof CqlError && error.code === BAD_CREDENTIALS && /unable to perform/i.test(error.message)

/** @typedef {{ query(cql: string): Promise<string[][]>, close(): void }} CqlConnection */

/**
 * @param {{ host: string, port: number, username: string, password: string }} where
 * @returns {Promise<CqlConnection>}
 * @throws {CqlError} when the sign-in is refused; an Error when no node answers
 */
export async function signIn({ host, port, username, password }) {
  const { request, close } = openSocket(host, port)
  try {
    const first = await request(STARTUP, Buffer.concat([short(1), string('CQL_VERSION'), string('3.0.0')]))
    if (first.opcode === AUTHENTICATE) {
      const answer = await request(AUTH_RESPONSE, bytes(Buffer.from(`\0${username}\0${password}`)))
      if (answer.opcode !== AUTH_SUCCESS) throw new Error(`Cassandra asked for more than a password.`)
    } else if (first.opcode !== READY) throw new Error('Cassandra did not answer the start of a connection.')
  } catch (error) {
    close()
    throw error
  }
  return {
    close,
    async query(cql) {
      const text = Buffer.from(cql)
      const { opcode, body } = await request(
        QUERY,
        Buffer.concat([int(text.length), text, short(QUORUM), Buffer.of(0)]),
      )
      if (opcode !== RESULT) throw new Error(`Cassandra answered a query with opcode ${opcode}.`)
      return rowsOf(body)
    },
  }
}

/**
 * @param {string} host
 * @param {number} port
 */
function openSocket(host, port) {
  const socket = connect({ host, port })
  socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy(new Error('Cassandra did not answer in time.')))
  let received = Buffer.alloc(0)
  /** @type {{ resolve(frame: { opcode: number, body: Buffer }): void, reject(error: Error): void } | null} */
  let waiting = null
  /** @type {Error | null} */
  let broken = null

  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    if (received.length < 9 || received.length < 9 + received.readInt32BE(5)) return
    const end = 9 + received.readInt32BE(5)
    const opcode = received.readUInt8(4)
    const body = bodyOf(received.subarray(0, end))
    received = received.subarray(end)
    const asker = waiting
    waiting = null
    if (opcode === ERROR) asker?.reject(new CqlError(body.readInt32BE(0), textAt(body, 4).text))
    else asker?.resolve({ opcode, body })
  })
  const fail = (/** @type {Error} */ error) => {
    broken ??= error
    waiting?.reject(broken)
    waiting = null
  }
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('Cassandra closed the connection.')))

  return {
    close: () => socket.destroy(),
    /** @param {number} opcode @param {Buffer} body @returns {Promise<{ opcode: number, body: Buffer }>} */
    request: (opcode, body) =>
      new Promise((resolve, reject) => {
        if (broken) return reject(broken)
        waiting = { resolve, reject }
        socket.write(Buffer.concat([Buffer.of(0x04, 0, 0, 0, opcode), int(body.length), body]))
      }),
  }
}

/** The body without the warnings that may precede it (flag 0x08). @param {Buffer} frame */
function bodyOf(frame) {
  const body = frame.subarray(9)
  if ((frame.readUInt8(1) & 0x08) === 0) return body
  let at = 2
  for (let left = body.readUInt16BE(0); left > 0; left -= 1) at = textAt(body, at).end
  return body.subarray(at)
}

/** The rows of a result; other kinds of result have none. @param {Buffer} body @returns {string[][]} */
export function rowsOf(body) {
  if (body.readInt32BE(0) !== ROWS) return []
  const flags = body.readInt32BE(4)
  const columns = body.readInt32BE(8)
  let at = 12
  // More pages: what is asked here fits into one (5,000 rows).
  if (flags & 0x02) throw new Error('Cassandra answered in pages.')
  const skipText = () => {
    at = textAt(body, at).end
  }
  if (flags & 0x01) for (let i = 0; i < 2; i += 1) skipText()
  for (let i = 0; i < columns; i += 1) {
    if (!(flags & 0x01)) for (let j = 0; j < 2; j += 1) skipText()
    skipText()
    // Types up to 0x15 are simple: their number is all there is. Collections go on.
    if (body.readUInt16BE(at) > 0x15) throw new Error('Cassandra answered with a column that is not simple.')
    at += 2
  }
  const count = body.readInt32BE(at)
  at += 4
  return Array.from({ length: count }, () =>
    Array.from({ length: columns }, () => {
      const length = Math.max(0, body.readInt32BE(at))
      at += 4 + length
      return body.toString('utf8', at - length, at)
    }),
  )
}

/** @param {Buffer} body @param {number} at */
function textAt(body, at) {
  const end = at + 2 + body.readUInt16BE(at)
  return { text: body.toString('utf8', at + 2, end), end }
}

/** @param {number} n */
const short = (n) => Buffer.of(n >> 8, n & 0xff)
/** @param {number} n */
function int(n) {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(n)
  return buffer
}
/** @param {Buffer} content */
const bytes = (content) => Buffer.concat([int(content.length), content])
/** @param {string} text */
const string = (text) => Buffer.concat([short(Buffer.byteLength(text)), Buffer.from(text)])
