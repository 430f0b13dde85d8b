/** Connections that keep breaking: the driver recovers, its listeners do not multiply, and the process goes on. */
import { afterEach, expect, it } from 'vitest'
import { testConnect, testContactPoint, testCredentials } from '../../test/node-session.ts'
import { FaultProxy } from '../../testing/index.ts'
import type { CassandraSession } from '../session/session.ts'

let proxy: FaultProxy
let session: CassandraSession
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

afterEach(async () => {
  await session?.close()
  await proxy?.close()
})

it('restores its control connection once for each time that it breaks', async () => {
  const [host = '', port = ''] = testContactPoint().split(':')
  proxy = await FaultProxy.listen(host, Number(port))
  session = await testConnect({
    contactPoints: [proxy.contactPoint],
    localDataCenter: 'datacenter1',
    keyspace: 'system',
    ...testCredentials(),
  })
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  const listeners: number[] = []
  for (let breaks = 0; breaks < 8; breaks++) {
    proxy.refuse()
    await pause(100)
    proxy.restore()
    await expect
      .poll(() =>
        session.client.execute('SELECT key FROM system.local').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await pause(1_200)
    proxy.cut()
    await pause(300)
    const [node] = session.client.hosts.values()
    listeners.push(node?.listenerCount('down') ?? 0)
  }
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
  expect(Math.max(...listeners)).toBeLessThanOrEqual(Math.min(...listeners) + 2)
})
