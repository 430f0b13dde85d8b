import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const excluded = ['**/node_modules/**', '**/dist/**', '**/.*/**']
const ofNoUnit = ['**/*.integration.test.*', '**/*.long.test.*']

const unit = {
  // Vitest leaves one processor free, and nothing else would use it.
  maxWorkers: 2,
  // Time in these tests is fake: a limit is for tests that hang, not for machines that are busy. They have a low priority too: beside two more runs
  // of all tests, thousands of schedules took 300 s.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 30_000 } },
  include: [
    'lib/**/*.test.ts',
    'components/**/*.test.{ts,tsx}',
    'app/**/*.test.{ts,tsx}',
    'scripts/**/*.test.mjs',
    'cluster/**/*.test.ts',
    'bench/**/*.test.mjs',
  ],
}

/** Unit tests that put others in the place of modules, or look at what the whole process does: each has a process of its own. */
const apart = [
  'scripts/**/*.test.mjs',
  'bench/**/*.test.mjs',
  'lib/console/audit/anchors/full-disk.test.ts',
  'lib/console/audit/stored-audit-log.test.ts',
  'lib/client/watch/suspended-page.test.ts',
  'lib/console/programs/test/renewals-over-http.test.ts',
  'lib/leasehold/lease/engine/outcome-engine.test.ts',
  'lib/leasehold/lease/resign/resign.test.ts',
  'lib/leasehold/lease/waiting/wait.test.ts',
]

/** Integration tests of that kind. */
const integrationApart = [
  'scripts/**/*.integration.test.mjs',
  'lib/leasehold/test/documentation/documentation.integration.test.ts',
  'lib/leasehold/cassandra/driver/control-connection.integration.test.ts',
]

/** A real Cassandra on a busy machine: what matters is that it answers, not how soon. */
const integration = {
  exclude: excluded,
  setupFiles: ['scripts/test/test-schema.mjs', 'lib/leasehold/test/patient-sessions.ts'],
  // For tests that hang: at load 60 a compilation in a hook took more than four minutes.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
}

/** They look at when things happen, or keep both processors busy themselves: at most one more runs beside them. */
const alone = [
  'lib/leasehold/cassandra/stores/fair-locks.integration.test.ts',
  'lib/leasehold/test/takeover/**/*.integration.test.ts',
]

/** They take 15 s or more, and mostly wait. Vitest begins with the largest files; of these the last ones ended alone. */
const slow = [
  'leasehold/cassandra/leases/store-contract',
  'leasehold/test/fairness/turns',
  'leasehold/cassandra/leases/forced-release',
  'leasehold/test/faults/random-faults',
  'console/doctor/doctor',
  'console/releases/test/release',
  'console/test/permissions/permissions',
  'console/store/schema/migrate',
  'console/audit/chain/end/erased',
  'console/test/clients/clients',
  'console/test/clients/wrong-answers',
  'console/watch/test/truth',
  'console/lab/test/lab',
  'console/watch/test/watch',
  'console/history/history',
  'console/programs/test/http-library',
  'console/test/lost-answers',
  'console/audit/chain/writers',
  'console/watch/test/lost-store',
  'console/start/terminal/user-terminal',
  'console/test/waiting-cost',
  'console/store/schema/grants',
  'console/http/request/slow-body',
].map((path) => `/lib/${path}.integration.test.ts`)

/** How many files at a time. Half of them, where `npm test` found that others keep the machine busy: they would wait for each other. */
const atOnce = (files: number) => (process.env.LEASEHOLD_TEST_HALF === '1' ? Math.ceil(files / 2) : files)

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => slow.some((path) => moduleId.endsWith(path))
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

/** The projects run one after the other, unless `npm test` starts them: scripts/test/run/plan.mjs. */
export default defineConfig({
  // `leasehold/*` means the sources, as everywhere in this repository.
  resolve: { tsconfigPaths: true },
  test: {
    setupFiles: ['scripts/test/remove-folders.mjs'],
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          ...unit,
          name: 'unit',
          // One module graph for all files of a worker: what many files import is read once.
          isolate: false,
          exclude: [...excluded, ...ofNoUnit, ...apart],
        },
      },
      {
        extends: true,
        test: { ...unit, name: 'unit-apart', include: apart, exclude: [...excluded, ...ofNoUnit] },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration-waiting',
          isolate: false,
          include: ['lib/leasehold/**/*.integration.test.ts'],
          exclude: [...excluded, ...alone, ...integrationApart],
          maxWorkers: atOnce(4),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration-apart',
          include: integrationApart,
          maxWorkers: atOnce(3),
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration-alone',
          include: alone,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration-console',
          // To read the modules took two fifths of the processor time of these tests.
          isolate: false,
          include: ['lib/console/**/*.integration.test.ts'],
          // Of four at a time a third of both processors was idle: they wait for expiries.
          maxWorkers: atOnce(6),
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'long',
          include: ['{lib,scripts}/**/*.long.test.{ts,mjs}', 'lib/leasehold/**/*.property.test.ts'],
          // All schedules: lib/leasehold/test/schedules.ts.
          env: { LEASEHOLD_LONG: '1' },
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
