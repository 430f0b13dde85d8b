import { describe, expect, it } from 'vitest'
import { resignContract } from '../contracts/resign-contract.ts'
import { FakeClock } from '../fake-clock.ts'
import { MemoryResignRequests } from './memory-resign-requests.ts'

describe('requests to resign in memory keep the contract', () => {
  for (const { title, run } of resignContract)
    it(title, () => run(new MemoryResignRequests(new FakeClock()), 'job'))
})

it('are gone after a day', async () => {
  const clock = new FakeClock()
  const requests = new MemoryResignRequests(clock)
  const request = { id: 'r1', name: 'job', owner: 'o', requestedBy: 'ana', reason: '', requestedAtMs: 0 }
  await requests.ask(request)
  await clock.advance(86_399_999)
  expect(await requests.of('job')).toEqual([request])
  await clock.advance(1)
  expect(await requests.of('job')).toEqual([])
})
