import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { type HeldPlan, planQuery } from './use-release-plan.ts'

it('a plan that stands is made again by hand alone, also when Cassandra is back and all else is read again', async () => {
  let made = 0
  let answers = false
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const observer = new QueryObserver(client, {
    ...planQuery('orders/sync', undefined),
    queryFn: async () => {
      if (!answers) throw new Error('Cassandra does not answer')
      made += 1
      return {} as HeldPlan
    },
  })
  const end = observer.subscribe(() => {})
  await observer.refetch()
  answers = true
  // As the page does after an outage. There is no plan yet.
  await client.refetchQueries({ type: 'active' })
  expect(made).toBe(1)
  await client.refetchQueries({ type: 'active' })
  expect(made).toBe(1)
  await observer.refetch()
  expect(made).toBe(2)
  end()
  client.clear()
})
