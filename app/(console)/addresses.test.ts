import { expect, it } from 'vitest'
import Doctor from './doctor/page.tsx'
import Leases from './leases/page.tsx'

const search = (query: Record<string, string>) => Promise.resolve(query)
const digestOf = (page: Promise<unknown>) => page.catch((thrown) => thrown.digest as string)

it.each([
  [Leases, {}, '/'],
  [Leases, { table: 'cron', q: 'a b' }, '/?table=cron&q=a+b'],
  [Doctor, {}, '/settings/doctor'],
])('%o leads with the query %j to %s', async (page, query, path) => {
  const params = Promise.resolve({})
  expect(await digestOf(page({ params, searchParams: search(query) }))).toContain(`;${path};`)
})
