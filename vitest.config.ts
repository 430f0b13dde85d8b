import { defineConfig } from 'vitest/config'

const excluded = ['**/node_modules/**', '**/dist/**', '**/.*/**']

export default defineConfig({
  // `leasehold/*` means the sources, as everywhere in this repository.
  resolve: { tsconfigPaths: true },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'lib/**/*.test.ts',
            'components/**/*.test.{ts,tsx}',
            'app/**/*.test.{ts,tsx}',
            'scripts/**/*.test.mjs',
          ],
          exclude: [...excluded, '**/*.integration.test.*'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{lib,app,scripts}/**/*.integration.test.{ts,mjs}'],
          exclude: excluded,
          // A real Cassandra on a busy machine: what matters is that it answers, not how soon.
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
