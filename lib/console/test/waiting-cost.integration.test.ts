/** What waits cost Cassandra: counted as statements on the leases that the driver sends. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { namesMax } from '../http/limits/open-requests.ts'
import { serve } from '../http/router.ts'
import { type TestConsole, testConsole, testOrigin } from './test-console.ts'
import { emptiedKeyspace } from './test-keyspace.ts'

let console: TestConsole
let statements = 0

beforeAll(async () => {
  console = await testConsole(await emptiedKeyspace())
  const { client, reader } = console.context.session
  for (const each of new Set([client, reader])) {
    const execute = each.execute.bind(each) as (...args: unknown[]) => unknown
    each.execute = ((...args: unknown[]) => {
      if (String(args[0]).includes('"leases"')) statements++
      return execute(...args)
    }) as typeof each.execute
  }
})
afterAll(() => console?.context.session.close())

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Requests that wait, until the test ends them. */
function waits(names: string[]) {
  const leaving = new AbortController()
  const answers = names.map((name) => {
    const url = `${testOrigin}/v1/locks/${encodeURIComponent(name)}?wait=60s`
    return serve(
      new Request(url, { headers: { cookie: console.cookie }, signal: leaving.signal }),
      console.context,
    )
  })
  return { answers, end: () => leaving.abort() }
}

async function perSecond(seconds: number): Promise<number> {
  const beganMs = performance.now()
  statements = 0
  await pause(seconds * 1000)
  return (statements * 1000) / (performance.now() - beganMs)
}

it('200 idle waits of one viewer cost a statement a second and name, and names are bounded', async () => {
  // A session that was shown once is counted for itself.
  await console.api('GET', '/v1/session')
  const { answers, end } = waits(Array.from({ length: 200 }, (_, i) => `idle/${i}`))
  const refused: Response[] = []
  for (const answer of answers) void answer.then((response) => refused.push(response))
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(200 - namesMax)
  const early = refused.slice()
  // A watch looks more often until 5 s after its first look, which a busy machine may answer after seconds.
  await pause(8_000)
  const idle = await perSecond(5)
  end()
  await Promise.all(answers)
  expect(early.map(({ status }) => status)).toEqual(Array(200 - namesMax).fill(429))
  expect((await early[0]?.json())?.code).toBe('too-many-requests')
  // One hint a second and name, and a confirmation every ten seconds.
  expect(idle).toBeLessThan(namesMax * 1.5)
})

it('200 waits for one name cost what one costs', async () => {
  statements = 0
  const { answers, end } = waits(Array<string>(200).fill('one'))
  await pause(500)
  // At first, the waits share their reads too.
  expect(statements).toBeLessThan(200)
  await pause(8_000)
  expect(await perSecond(5)).toBeLessThan(5)
  end()
  await Promise.all(answers)
})
