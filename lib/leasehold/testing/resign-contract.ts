/** The contract of requests to resign: those in memory and the real Cassandra pass the same cases. */
import assert from 'node:assert/strict'
import type { ResignRequest, ResignRequests } from '../lease/index.ts'

export interface ResignContractCase {
  title: string
  /** @param name one that no other case uses */
  run(requests: ResignRequests, name: string): Promise<void>
}

const requestOf = (name: string, more: Partial<ResignRequest> = {}): ResignRequest => ({
  id: 'r1',
  name,
  owner: 'host:1:a:1',
  requestedBy: 'ana',
  reason: 'INC-2214',
  requestedAtMs: Date.now(),
  ...more,
})

export const resignContract: ResignContractCase[] = [
  {
    title: 'shows no request before the first one',
    run: async (requests, name) => assert.deepEqual(await requests.of(name), []),
  },
  {
    title: 'keeps a request letter for letter',
    run: async (requests, name) => {
      const odd = requestOf(name, {
        owner: 'host:日本:"; DROP',
        requestedBy: "o'ana",
        reason: '<img>\n\u202e',
      })
      await requests.ask(odd)
      assert.deepEqual(await requests.of(name), [odd])
    },
  },
  {
    title: 'takes the same request twice for one',
    run: async (requests, name) => {
      const request = requestOf(name)
      await Promise.all([requests.ask(request), requests.ask(request)])
      await requests.ask(request)
      assert.deepEqual(await requests.of(name), [request])
    },
  },
  {
    title: 'shows those to every holder of the name, by owner and id, and those of no other name',
    run: async (requests, name) => {
      const [one, two, three] = [
        requestOf(name, { id: 'r2' }),
        requestOf(name, { id: 'r1' }),
        requestOf(name, { id: 'r3', owner: 'earlier' }),
      ]
      for (const request of [one, two, three]) await requests.ask(request)
      await requests.ask(requestOf(`${name}/other`))
      assert.deepEqual(await requests.of(name), [three, two, one])
    },
  },
]
