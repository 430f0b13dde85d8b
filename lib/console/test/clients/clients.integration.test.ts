import { expect, it } from 'vitest'
import { run, testClients } from './test-clients.ts'
import { clientBlocks, interpreted } from './test-programs.ts'

testClients(interpreted)

it('curl by hand: acquires, renews, looks and releases', async () => {
  const byHand = clientBlocks('docs/clients/curl.md').find(({ code }) => code.startsWith('auth='))
  const { stdout } = await run(['bash', '-c', byHand?.code ?? '']).ended()
  const statuses = [...stdout.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  expect(statuses).toEqual([201, 200, 200, 204])
})
