/** For specs of broken networks: browsers reach the console through a gateway that holds or cuts answers. */
import { Gateway } from './gateway.ts'
import type { RunningConsole } from './running-console.ts'
import { emptyForFile, workers } from './workers.ts'

/** `running` is at the gateway's address. */
export const test = workers.extend<{ gateway: Gateway; running: RunningConsole }>({
  gateway: async ({ plain }, use) => {
    const gateway = await Gateway.listen(plain.url)
    await use(gateway)
    gateway.close()
  },
  running: async ({ plain, gateway }, use, { file }) => {
    await emptyForFile(plain, file)
    await use({ ...plain, url: gateway.url })
  },
})
