/** The contract of a store of requests to resign. The one in memory and the one in Cassandra pass the same cases. */
import assert from 'node:assert/strict'
import type { ResignRequest, ResignRequests } from '../../lease/index.ts'

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
    title:
      'takes the same id, asked again later, for one request of the later time, also where the first one lands last',
    run: async (requests, name) => {
      const first = requestOf(name)
      const again = { ...first, requestedAtMs: first.requestedAtMs + 2_000 }
      await requests.ask(again)
      await requests.ask(first)
      assert.deepEqual(await requests.of(name), [again])
    },
  },
  {
    title: 'shows the requests to all holders of one name, by owner and id, and none of another name',
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
  {
    title: 'shows the requests to one holder alone',
    run: async (requests, name) => {
      const one = requestOf(name)
      for (const owner of ['host:1:a:', 'host:1:a:10', one.owner]) await requests.ask({ ...one, owner })
      assert.deepEqual(await requests.of(name, one.owner), [one])
      assert.deepEqual(await requests.of(name, 'another'), [])
    },
  },
  {
    title: 'shows a request to this holder, however many went to the holders before it',
    run: async (requests, name) => {
      for (let n = 0; n < 1_100; n += 100)
        await Promise.all(
          Array.from({ length: 100 }, (_, i) =>
            requests.ask(requestOf(name, { owner: 'earlier', id: `r${n + i}` })),
          ),
        )
      const one = requestOf(name)
      await requests.ask(one)
      assert.deepEqual(await requests.of(name, one.owner), [one])
    },
  },
]
