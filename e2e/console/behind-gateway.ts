/** For specs of broken networks: browsers reach the console through a gateway that holds or cuts answers. */
import { test as base } from '@playwright/test'
import { emptyForFile, type RunningConsole, startConsole } from './console.ts'
import { Gateway } from './gateway.ts'

export const test = base.extend<
  { gateway: Gateway; running: RunningConsole },
  { both: [Gateway, RunningConsole] }
>({
  both: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const gateway = await Gateway.listen()
      const running = await startConsole({ publicUrl: gateway.url })
      gateway.to(running.url)
      await use([gateway, { ...running, url: gateway.url }])
      gateway.close()
      await running.stop()
    },
    { scope: 'worker' },
  ],
  gateway: async ({ both: [gateway] }, use) => {
    await use(gateway)
    gateway.release()
    gateway.isSilent = false
    gateway.spoiled = 0
  },
  running: async ({ both: [, running] }, use, { file }) => {
    await emptyForFile(running, file)
    await use(running)
  },
})
