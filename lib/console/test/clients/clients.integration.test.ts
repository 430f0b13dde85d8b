import { expect, it } from 'vitest'
import { clientBlocks, run, testClients } from './test-clients.ts'

testClients([
  { name: 'curl', command: ['bash', 'worker.sh'] },
  { name: 'Python', command: ['python3', 'worker.py'] },
  // The options shorten the start alone: a reader needs none.
  { name: 'Java', command: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', 'Worker.java'] },
])

it('curl by hand: acquires, renews, looks and releases', async () => {
  const byHand = clientBlocks('docs/clients/curl.md').find(({ code }) => code.startsWith('auth='))
  const { stdout } = await run(['bash', '-c', byHand?.code ?? '']).ended()
  const statuses = [...stdout.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  expect(statuses).toEqual([201, 200, 200, 204])
})
