import { defineConfig } from '@playwright/test'

/**
 * The suite starts its own servers (on the build in `LEASEHOLD_DIST_DIR`, against the Cassandra at
 * `LEASEHOLD_TEST_CONTACT_POINT`); `npm test` provides both. `CHROMIUM` names the browser, if not Playwright's own.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // One at a time: the tests share one Cassandra, and timing is part of what they look at.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
      // No sandbox, because containers run as root; and no talk with the browser's maker.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
