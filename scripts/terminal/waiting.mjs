const FIRST_MS = 1_000
const NEXT_MS = 10_000

/**
 * Does something that asks a server, and says on stderr that it waits once that takes longer than a second: a
 * command that is silent looks like one that hangs. stdout has the result alone.
 *
 * @template T
 * @param {string} what such as "Cassandra at 127.0.0.1:9042"
 * @param {() => Promise<T>} work
 * @param {{ write(text: string): unknown }} [out]
 * @returns {Promise<T>}
 */
export async function sayWaiting(what, work, out = process.stderr) {
  let waitedMs = FIRST_MS
  const say = () => {
    out.write(`Waiting for ${what}: no answer for ${waitedMs / 1_000} s.\n`)
    waitedMs += NEXT_MS
    timer = setTimeout(say, NEXT_MS)
  }
  let timer = setTimeout(say, FIRST_MS)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}
