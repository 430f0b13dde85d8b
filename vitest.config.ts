import { defineConfig } from 'vitest/config'

const excluded = ['**/node_modules/**', '**/dist/**', '**/.*/**']

/** A real Cassandra on a busy machine: what matters is that it answers, not how soon. */
const integration = { exclude: excluded, testTimeout: 60_000, hookTimeout: 120_000 }

export default defineConfig({
  // `leasehold/*` means the sources, as everywhere in this repository.
  resolve: { tsconfigPaths: true },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Time in these tests is fake: a limit is for tests that hang, not for machines that are busy.
          testTimeout: 60_000,
          include: [
            'lib/**/*.test.ts',
            'components/**/*.test.{ts,tsx}',
            'app/**/*.test.{ts,tsx}',
            'scripts/**/*.test.mjs',
          ],
          exclude: [...excluded, '**/*.integration.test.*', '**/*.long.test.*'],
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration',
          include: ['{lib/leasehold,scripts}/**/*.integration.test.{ts,mjs}'],
          // One file at a time: the library's tests look at when things happen.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration-console',
          include: ['lib/console/**/*.integration.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          // What takes minutes by its nature; on its own.
          name: 'long',
          include: ['{lib,scripts}/**/*.long.test.{ts,mjs}'],
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
