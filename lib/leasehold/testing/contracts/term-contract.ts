/** The contract of a store of terms. The one in memory and the one in Cassandra pass the same cases. */
import assert from 'node:assert/strict'
import type { Term, TermStore } from '../../election/index.ts'

export interface TermContractCase {
  title: string
  /** @param group one that no other case uses */
  run(store: TermStore, group: string): Promise<void>
}

const term = (number: bigint, leader: string, token: bigint): Term => ({
  term: number,
  leader,
  token,
  sinceMs: 1_767_225_600_123,
})
const first = term(1n, 'one', 1_767_225_600_123_456n)
const second = term(2n, 'two', 1_767_225_700_123_456n)

export const termContract: TermContractCase[] = [
  {
    title: 'shows no term before the first one',
    run: async (store, group) => assert.equal(await store.read(group), null),
  },
  {
    title: 'keeps a term letter for letter',
    run: async (store, group) => {
      const odd = { ...first, leader: 'host:日本:"; DROP' }
      assert.deepEqual(await store.begin(group, null, odd), { applied: true })
      assert.deepEqual(await store.read(group), odd)
    },
  },
  {
    title: 'begins a term only if the last one is as read',
    run: async (store, group) => {
      assert.deepEqual(await store.begin(group, 1n, second), { applied: false, found: null })
      assert.deepEqual(await store.begin(group, null, first), { applied: true })
      assert.deepEqual(await store.begin(group, null, first), { applied: false, found: 1n })
      assert.deepEqual(await store.begin(group, 1n, second), { applied: true })
      assert.deepEqual(await store.begin(group, 1n, second), { applied: false, found: 2n })
      assert.deepEqual(await store.read(group), second)
    },
  },
  {
    title: 'counts each group by itself',
    run: async (store, group) => {
      assert.deepEqual(await store.begin(group, null, first), { applied: true })
      assert.equal(await store.read(`${group}/other`), null)
    },
  },
]
