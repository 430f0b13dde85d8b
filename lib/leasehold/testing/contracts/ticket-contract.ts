/** The contract of a store of tickets. The one in memory and the one in Cassandra pass the same cases. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Ticket, TicketStore } from '../../lease/index.ts'
import { systemClock } from '../../time/index.ts'

export interface TicketHarness {
  store: TicketStore
  /** One that no other case uses. */
  name: string
  /** Lets time pass. */
  wait(ms: number): Promise<void>
}

export interface TicketContractCase {
  title: string
  run(harness: TicketHarness): Promise<void>
}

/**
 * Puts tickets of 6 s and looks at them: once more where a busy machine took so long that some may have expired.
 * @param put is called with the number of tries before
 */
async function shows(
  expected: readonly Ticket[],
  put: (tried: bigint) => Promise<unknown>,
  look: () => Promise<readonly Ticket[]>,
): Promise<void> {
  for (let tries = 0n; ; tries++) {
    const beganMs = systemClock.now().monotonicMs
    await put(tries)
    const seen = await look()
    // Cassandra counts in whole seconds: six last for more than five.
    const isLate = systemClock.now().monotonicMs - beganMs > 5_000 && tries < 20n
    if (isLate && !isDeepStrictEqual(seen, expected)) continue
    assert.deepEqual(seen, expected)
    return
  }
}

export const ticketContract: TicketContractCase[] = [
  {
    title: 'shows an empty queue at first, and keeps names apart',
    run: async ({ store, name }) => {
      await store.put({ name: `${name}/other`, number: 1n, owner: 'a' }, 6, 1n)
      assert.deepEqual(await store.first(name, 0n, 5), [])
    },
  },
  {
    title: 'orders by number, then by the bytes of the owner, and begins at the given number',
    run: async ({ store, name }) => {
      const make = (number: bigint, owner: string): Ticket => ({ name, number, owner })
      const ordered = [
        make(1n, 'z'),
        make(2n, 'B'),
        make(2n, 'a'),
        make(2n, 'ä'),
        // U+FF5E sorts before U+1D11E by bytes, and after it by UTF-16 units.
        make(2n, '～'),
        make(2n, '𝄞'),
        make(1_767_225_600_123_456n, 'a'),
      ]
      let round = 0n
      // At once: each of them has to stand until the read.
      const put = () => {
        round += 1n
        return Promise.all(ordered.toReversed().map((ticket) => store.put(ticket, 6, ticket.number + round)))
      }
      await shows(ordered, put, () => store.first(name, 0n, 10))
      await shows(ordered.slice(1, 3), put, () => store.first(name, 2n, 2))
      await shows(ordered.slice(-1), put, () => store.first(name, 3n, 1))
    },
  },
  {
    title: 'keeps a ticket removed, whichever of its writes lands last',
    run: async ({ store, name }) => {
      const ticket = { name, number: 5n, owner: 'one' }
      await shows(
        [ticket],
        (tried) => store.put(ticket, 6, 5n + tried),
        () => store.first(name, 0n, 5),
      )
      await store.remove(ticket, 32n)
      await store.put(ticket, 6, 31n)
      assert.deepEqual(await store.first(name, 0n, 5), [])
      const early = { name, number: 8n, owner: 'two' }
      await store.remove(early, 34n)
      await store.put(early, 6, 33n)
      assert.deepEqual(await store.first(name, 0n, 5), [])
    },
  },
  {
    title: 'lets a ticket expire unless its waiter refreshes it',
    run: async ({ store, name, wait }) => {
      for (let tries = 1; ; tries++) {
        const queue = `${name}/${tries}`
        const make = (number: bigint): Ticket => ({ name: queue, number, owner: 'x' })
        const [crashed, alive] = [make(1n), make(2n)]
        const beganMs = systemClock.now().monotonicMs
        // On a busy machine a read may come after an expiry, and then shows less: again.
        const isLate = (ms: number) => systemClock.now().monotonicMs - beganMs > ms && tries < 20
        await store.put(crashed, 2, 1n)
        await store.put(alive, 2, 2n)
        await store.put(alive, 6, 3n)
        const before = await store.first(queue, 0n, 5)
        // Cassandra counts in whole seconds: two last for more than one.
        if (before.length < 2 && isLate(1_000)) continue
        assert.deepEqual(before, [crashed, alive])
        await wait(2_300)
        const after = await store.first(queue, 0n, 5)
        if (after.length < 1 && isLate(5_000)) continue
        assert.deepEqual(after, [alive])
        break
      }
    },
  },
]
