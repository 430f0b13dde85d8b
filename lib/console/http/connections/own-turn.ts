/**
 * The turn of an answer on its connection. Node parses at once all requests that a client sends one behind the other, and sends
 * their answers in order. A page that is begun before its turn holds its file open, and its text in memory, until the client
 * has read the answers before it. It holds the file for ever where the connection ends first: Next closes a file when the
 * socket of its answer closes, and an answer before its turn has no socket.
 */
import type { ServerResponse } from 'node:http'

/** @returns true: the answers before it on its connection were sent; false: the connection has ended */
export function ownTurn(response: ServerResponse): Promise<boolean> {
  if (response.destroyed || response.socket !== null) return Promise.resolve(!response.destroyed)
  return new Promise((done) => {
    response.once('socket', () => done(true))
    // The server says so of an answer without a socket: node-server.ts.
    response.once('close', () => done(false))
  })
}
