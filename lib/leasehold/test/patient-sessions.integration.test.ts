/** A test on a machine that stands still for a second. */
import { expect, it } from 'vitest'
import { createTables } from '../cassandra/schema/create-tables.ts'
import { LeaseProtocol } from '../lease/index.ts'
import { testSession } from './node-session.ts'

it('a write that a slow machine did not send in time is called again', async () => {
  const session = await testSession(`patient_sessions_${Date.now().toString(36)}`)
  try {
    await createTables(session)
    const protocol = new LeaseProtocol(session)
    const acquiring = protocol.tryAcquire('job', { owner: 'them', ttlSeconds: 30 })
    standStill(1_500)
    expect(await acquiring).toMatchObject({ kind: 'acquired' })
  } finally {
    await session.close()
  }
})

function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
