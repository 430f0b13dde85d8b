import { defineConfig, type Project } from '@playwright/test'

/** What measures runs first, with the machine to itself. `npm run test:long` has what needs minutes. */
function projects(): Project[] {
  if (process.env.LEASEHOLD_PICTURES) return [{ name: 'pictures', testMatch: 'pictures/*.pictures.ts' }]
  if (process.env.LEASEHOLD_LONG) return [{ name: 'long', testMatch: '*.long.spec.ts' }]
  const measuring = ['countdown.spec.ts']
  const waiting = ['crash.spec.ts']
  const console = {
    dependencies: ['measuring'],
    // A page that moves draws sixty pictures a second. The specs of the lab and of the page's policy want it as it is,
    // and say so.
    use: { reducedMotion: 'reduce' as const },
  }
  return [
    { name: 'measuring', testMatch: measuring },
    // It waits for two minutes and a half, and begins first: at the end the others would be done, and wait for it.
    { ...console, name: 'waiting', testMatch: waiting },
    { ...console, name: 'console', testIgnore: [...measuring, ...waiting, '*.long.spec.ts'] },
  ]
}

/**
 * The suite starts its own servers (on the build in `LEASEHOLD_DIST_DIR`, against the Cassandra at
 * `LEASEHOLD_TEST_CONTACT_POINT`); `npm test` provides both. `CHROMIUM` names the browser, if not Playwright's own.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // A worker has a console and a keyspace of its own; the tests of a file share them.
  // Of three a fifth of two processors was idle: tests wait for expiries.
  workers: process.env.LEASEHOLD_PICTURES ? 2 : 4,
  fullyParallel: false,
  projects: projects(),
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Limits are for what hangs, not for machines that are busy.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    // A trace copies the page at each step, which takes as long as the page itself. A failure keeps its picture, and the page
    // as text.
    trace: process.env.LEASEHOLD_TRACE ? 'retain-on-failure' : 'off',
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
        // A page of a test lives for seconds: without the optimising compilers it takes a fifth less processor time.
        '--js-flags=--no-opt --no-maglev',
      ],
    },
  },
})
