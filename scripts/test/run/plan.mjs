import { join } from 'node:path'
import { ROOT } from '../../process/registry.mjs'
import { build, lint, playwright, types, vitest } from './stages.mjs'

/**
 * Which parts a run has, and which of them run beside each other. On two processors:
 *
 *     lint → types → unit → build                            busy, at a low priority
 *     waiting → console                                    both wait much: several files at a time
 *             → apart                                      each file has a process, and many a node of its own
 *                         build → end to end, waiting      no browser; it waits for two minutes, beside any other
 *                                             → alone
 *                                             → end to end, measuring    beside it: both wait more than they compute
 *                                                      → end to end
 *
 * A part waits for those that it `needs`, if they are wanted.
 *
 * @typedef {{
 *   name: string, stage: import('../arguments.mjs').Stage | 'build', needs: string[], isBusy: boolean,
 *   run(context: import('./stages.mjs').StageContext): Promise<import('./stages.mjs').StageResult>,
 * }} Part isBusy: it makes room for parts that look at when things happen
 */

const integration =
  (/** @type {string} */ project) => (/** @type {import('./stages.mjs').StageContext} */ it) =>
    vitest(project, it)
const busy = ['format and lint', 'types', 'unit', 'build the console']
const beside = ['integration, waiting', 'integration, apart', 'integration, console']
const onCassandra = [...beside, 'integration, alone']

/** Where the pictures of all states are written. */
export const PICTURES = join(ROOT, '.leasehold-pictures')

/** @type {import('../arguments.mjs').Stage[]} */
const IN_BROWSER = ['e2e', 'long', 'pictures']

/** @type {Part[]} */
const PARTS = [
  { name: 'format and lint', stage: 'lint', needs: [], isBusy: true, run: lint },
  { name: 'types', stage: 'types', needs: ['format and lint'], isBusy: true, run: types },
  {
    name: 'unit',
    stage: 'unit',
    needs: ['types'],
    isBusy: true,
    run: (it) => vitest('unit*', it),
  },
  { name: 'build the console', stage: 'build', needs: ['types', 'unit'], isBusy: true, run: build },
  {
    name: 'integration, waiting',
    stage: 'integration',
    needs: ['cassandra'],
    isBusy: false,
    run: integration('integration-waiting'),
  },
  {
    name: 'integration, apart',
    stage: 'integration',
    needs: ['cassandra', 'integration, waiting'],
    isBusy: false,
    run: integration('integration-apart'),
  },
  {
    name: 'integration, console',
    stage: 'integration',
    needs: ['cassandra', 'integration, waiting'],
    isBusy: false,
    run: integration('integration-console'),
  },
  {
    name: 'integration, alone',
    stage: 'integration',
    needs: ['cassandra', ...beside, ...busy],
    isBusy: false,
    run: integration('integration-alone'),
  },
  {
    name: 'end to end',
    stage: 'e2e',
    needs: ['cassandra', 'chromium', ...onCassandra, ...busy],
    isBusy: false,
    run: (it) => playwright(it),
  },
  {
    name: 'long',
    stage: 'long',
    needs: ['cassandra', ...onCassandra, 'end to end', ...busy],
    isBusy: false,
    run: integration('long'),
  },
  {
    name: 'long, end to end',
    stage: 'long',
    needs: ['cassandra', 'chromium', 'long', ...onCassandra, 'end to end', ...busy],
    isBusy: false,
    run: (it) => playwright({ ...it, env: { ...it.env, LEASEHOLD_LONG: '1' } }),
  },
  {
    name: 'pictures',
    stage: 'pictures',
    needs: ['cassandra', 'chromium', ...busy],
    isBusy: false,
    run: (it) => playwright({ ...it, env: { ...it.env, LEASEHOLD_PICTURES: PICTURES } }),
  },
]

/** Some tests by name: they are few, and one program finds them. @type {Part} */
const SOME_INTEGRATION = {
  name: 'integration',
  stage: 'integration',
  needs: ['cassandra', ...busy],
  isBusy: false,
  run: integration('integration-*'),
}

/** With the integration tests, two projects of the end-to-end tests run beside those. @type {Part[]} */
const BESIDE_INTEGRATION = [
  {
    name: 'end to end, waiting',
    stage: 'e2e',
    needs: ['cassandra', 'integration, waiting', ...busy],
    isBusy: false,
    run: (it) => playwright(it, { project: 'waiting' }),
  },
  {
    name: 'end to end, measuring',
    stage: 'e2e',
    needs: ['cassandra', 'chromium', ...beside, ...busy],
    isBusy: false,
    run: (it) => playwright(it, { project: 'measuring' }),
  },
]

/**
 * @param {import('../arguments.mjs').Stage[]} stages
 * @param {{ onlySome?: boolean }} [options] onlySome: some tests are asked for by words
 * @returns {Part[]}
 */
export function plan(stages, { onlySome = false } = {}) {
  const wanted = new Set([
    ...stages,
    ...(stages.some((stage) => IN_BROWSER.includes(stage)) ? ['build'] : []),
  ])
  const parts = PARTS.filter(({ stage }) => wanted.has(stage))
  if (!wanted.has('integration')) return parts
  if (!onlySome)
    return parts.flatMap((part) =>
      part.stage === 'e2e'
        ? [
            ...BESIDE_INTEGRATION,
            {
              ...part,
              needs: [...part.needs, 'end to end, measuring'],
              run: (it) => playwright(it, { project: 'console' }),
            },
          ]
        : [part],
    )
  return [...parts.filter(({ stage }) => stage !== 'integration'), SOME_INTEGRATION].map((part) =>
    part.stage === 'e2e' || part.stage === 'long'
      ? { ...part, needs: [...part.needs, SOME_INTEGRATION.name] }
      : part,
  )
}
