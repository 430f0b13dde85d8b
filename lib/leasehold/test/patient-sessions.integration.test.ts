/** A test on a machine that stands still for a second, or whose Cassandra does. */
import { expect, it } from 'vitest'
import { createTables } from '../cassandra/schema/create-tables.ts'
import { LeaseProtocol } from '../lease/index.ts'
import { FaultProxy } from '../testing/index.ts'
import { testConnect, testContactPoint, testCredentials, testSession } from './node-session.ts'
import { harmless } from './patient-sessions.ts'

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

it('a read that was not answered in time is sent again, where the test says that its proxy is harmless', async () => {
  const keyspace = `patient_sessions_${Date.now().toString(36)}_r`
  const admin = await testSession(keyspace)
  await createTables(admin)
  await admin.close()
  const [host = '', port = ''] = testContactPoint().split(':')
  const proxy = await FaultProxy.listen(host, Number(port))
  const at = { contactPoints: [proxy.contactPoint], localDataCenter: 'datacenter1', keyspace }
  const session = await testConnect({ ...at, ...testCredentials() })
  const slow = async (): Promise<unknown> => {
    proxy.holdAnswers()
    const delivering = setTimeout(() => proxy.deliverAnswers(), 3_500)
    return session.store.read('job').finally(() => {
      clearTimeout(delivering)
      proxy.deliverAnswers()
    })
  }
  try {
    // Its preparation has a time of its own.
    expect(await session.store.read('job')).toMatchObject({ cells: null })
    await expect(slow()).rejects.toMatchObject({ code: 'store-unavailable' })
    const end = harmless(proxy.contactPoint)
    expect(await slow()).toMatchObject({ cells: null })
    end()
    await expect(slow()).rejects.toMatchObject({ code: 'store-unavailable' })
  } finally {
    await session.close()
    await proxy.close()
  }
})

function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
