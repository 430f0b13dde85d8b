import { connect } from 'node:net'

/**
 * Whether a Cassandra answers there: an OPTIONS request of the native protocol, v4, without body, answered by
 * SUPPORTED. An open port alone is not enough: it may belong to another program. A driver would be too much: it may not
 * be installed yet.
 *
 * @param {string} host
 * @param {number} port
 * @param {number} [timeoutMs]
 * @returns {Promise<boolean>}
 */
export function answersCql(host, port, timeoutMs = 5_000) {
  const options = Buffer.from([0x04, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00])
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const done = (/** @type {boolean} */ yes) => {
      socket.destroy()
      resolve(yes)
    }
    socket.setTimeout(timeoutMs, () => done(false))
    socket.once('error', () => done(false))
    socket.once('close', () => done(false))
    socket.once('connect', () => socket.write(options))
    socket.once('data', (reply) => done(reply[0] === 0x84 && reply[4] === 0x06))
  })
}
