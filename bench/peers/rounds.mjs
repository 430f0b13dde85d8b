/**
 * One round: a holder, which is a process of its own, and waiters in this process. The holder is killed, or releases; the
 * first waiter that holds ends the round.
 */
import { spawn } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { ttlSeconds } from './timing.mjs'

/**
 * @typedef {{ release: () => Promise<unknown> }} Held
 * @typedef {{ ended: () => Promise<{ endedMs: number, nominalMs?: number }> }} Watch
 * @typedef {{
 *   acquire: (name: string, options: { signal?: AbortSignal, onRenewed?: (sentMs: number) => void }) => Promise<Held>,
 *   watch: (name: string) => Promise<Watch>, close: () => Promise<void>,
 * }} Client `watch`: begun before the holder is killed; `ended`, asked for afterwards: when the server ended the lease, and
 *   the nominal end, where the server shows it better than the holder
 * @typedef {{ peer: string, where: object, client: Client, observer: Client, name: string, waiters: number }} Round
 *   observer: a client of its own, which does not share the waiters' connection
 */

/** All waiters are in their queues, and the kill falls on any moment between two renewals. */
const beforeKillMs = () => 1_000 + Math.random() * 2_500
const roundWithinMs = 60_000

/** @param {Round} round @returns milliseconds beyond the server's end of the lease, and beyond the last renewal and the TTL */
export async function afterCrash(round) {
  const holder = await startHolder(round)
  const waiting = startWaiters(round)
  try {
    await pause(beforeKillMs())
    const watch = await within(round.observer.watch(round.name), `watch of ${round.name}`)
    holder.child.kill('SIGKILL')
    await holder.ended
    const ended = within(watch.ended(), `end of ${round.name}`)
    const [heldMs, { endedMs, nominalMs }] = await Promise.all([waiting.first, ended])
    return {
      beyondEndMs: heldMs - endedMs,
      beyondTtlMs: heldMs - (nominalMs ?? holder.renewedMs() + ttlSeconds * 1_000),
    }
  } finally {
    holder.child.kill('SIGKILL')
    await waiting.end()
  }
}

/** @param {Round} round @returns milliseconds after the holder's release was sent */
export async function afterRelease(round) {
  const holder = await startHolder(round)
  const waiting = startWaiters(round)
  try {
    await pause(1_000 + Math.random() * 500)
    holder.child.stdin.end()
    const heldMs = await waiting.first
    await holder.ended
    return heldMs - holder.releasingMs()
  } finally {
    holder.child.kill('SIGKILL')
    await waiting.end()
  }
}

/** @param {Round} round */
async function startHolder({ peer, where, name }) {
  const args = [join(import.meta.dirname, 'holder.mjs'), peer, JSON.stringify(where), name]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  // Not `exit`: what a killed process has printed may still be in the pipe.
  const ended = once(child, 'close')
  let renewedMs = Number.NaN
  let releasingMs = Number.NaN
  const held = new Promise((resolve) => {
    lines.on('line', (line) => {
      const said = JSON.parse(line)
      renewedMs = said.renewedMs ?? renewedMs
      releasingMs = said.releasingMs ?? releasingMs
      if (said.held) resolve(undefined)
    })
  })
  await within(Promise.race([held, ended.then(() => failed(`The holder of ${name} has ended.`))]), 'holder')
  return { child, ended, renewedMs: () => renewedMs, releasingMs: () => releasingMs }
}

/** @param {Round} round */
function startWaiters({ client, name, waiters }) {
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  const tries = Array.from({ length: waiters }, async () => {
    const held = await client.acquire(name, { signal: ending.signal })
    return { held, heldMs: Date.now() }
  })
  const first = within(Promise.any(tries), `takeover of ${name}`).then(({ heldMs }) => heldMs)
  first.catch(() => {})
  return {
    first,
    /** Those that come in while the others leave release too. */
    async end() {
      ending.abort(new Error('The round is over.'))
      await Promise.all(
        tries.map((waiting) =>
          waiting.then(
            ({ held }) => held.release(),
            () => {},
          ),
        ),
      )
    },
  }
}

/** @template T @param {Promise<T>} promise @param {string} what @returns {Promise<T>} */
function within(promise, what) {
  const late = AbortSignal.timeout(roundWithinMs)
  return Promise.race([
    promise,
    new Promise((_, reject) => {
      late.addEventListener('abort', () => reject(new Error(`No ${what} within ${roundWithinMs / 1_000} s.`)))
    }),
  ])
}

/** @param {string} sentence @returns {never} */
function failed(sentence) {
  throw new Error(sentence)
}
