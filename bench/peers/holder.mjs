/**
 * A holder: a process of its own, which is killed, or releases when its input ends. It prints one line of JSON for each
 * renewal that was answered, with the time at which it was sent, one when it holds, and one before it releases.
 */
import { once } from 'node:events'

const [, , peer = '', where = '', name = ''] = process.argv
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const { connect } = await import(`./${peer}.mjs`)
const client = await connect(JSON.parse(where))
const held = await client.acquire(name, { onRenewed: (sentMs) => say({ renewedMs: sentMs }) })
say({ held: true })
process.stdin.resume()
await once(process.stdin, 'end')
say({ releasingMs: Date.now() })
await held.release()
// Clients keep timers and connections, which say nothing about the lease.
process.exit(0)
