import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { leaseReleasesQuery } from '../../../lib/client/call/queries.ts'
import { isReadForHolder } from './use-lease-memory.ts'

type Answer = { now: string; releases: [] }

/** The query as the page has it, with answers that the test gives. */
function watched() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const asked: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = []
  let settled = 0
  /** The read that is under way: it is sent a moment after the key came. */
  const next = async () => {
    await expect.poll(() => asked.length).toBe(settled + 1)
    return asked[settled++]
  }
  const options = (holder: string | null) => ({
    ...leaseReleasesQuery('a', undefined, holder),
    queryFn: () => new Promise<Answer>((resolve, reject) => asked.push({ resolve, reject })),
    refetchInterval: false as const,
  })
  const observer = new QueryObserver(client, options(null))
  const end = observer.subscribe(() => {})
  return {
    end: () => {
      end()
      client.clear()
    },
    hold: (holder: string | null) => observer.setOptions(options(holder)),
    hasFailed: () => observer.getCurrentResult().isError,
    isKnown: () => isReadForHolder(observer.getCurrentResult()),
    answer: async () => (await next())?.resolve({ now: '2026-11-20T03:14:00.000Z', releases: [] }),
    fail: async () => (await next())?.reject(new Error('no answer')),
  }
}

it('what was done is known from an answer since the holder came, and not from a cached one of the time when it was free before', async () => {
  const { hold, isKnown, answer, fail, hasFailed, end } = watched()
  await answer()
  await expect.poll(isKnown).toBe(true)
  hold('b')
  expect(isKnown()).toBe(false)
  await answer()
  await expect.poll(isKnown).toBe(true)
  // It was killed: free again.
  hold(null)
  expect(isKnown()).toBe(false)
  await fail()
  await expect.poll(hasFailed).toBe(true)
  expect(isKnown()).toBe(false)
  end()
})
