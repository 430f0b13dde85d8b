import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import vitestConfig from '../../vitest.config.ts'
import { ROOT } from '../process/registry.mjs'
import { readArguments, STAGES } from './arguments.mjs'
import { testEnvironment } from './environment.mjs'
import { othersShare, treeMs } from './run/busy.mjs'
import { countsOf, playwrightCounts, vitestCounts } from './run/counts.mjs'
import { plan } from './run/plan.mjs'
import { select } from './selection.mjs'
import { temporaryFolder } from './temporary-folder.mjs'

describe('arguments', () => {
  it('are all stages but those that take minutes unless some are named, always in order', () => {
    expect(readArguments([]).stages).toEqual(STAGES.filter((stage) => !/^(long|pictures)$/.test(stage)))
    expect(readArguments(['--only', 'e2e,unit']).stages).toEqual(['unit', 'e2e'])
    expect(readArguments(['--only=long,unit', '--', 'a b', 'c'])).toEqual({
      does: 'test',
      stages: ['unit', 'long'],
      words: ['a', 'b', 'c'],
      cassandra: '5.0',
    })
    expect(readArguments(['--cassandra', '4.1', '--node'])).toMatchObject({
      does: 'hold-node',
      cassandra: '4.1',
    })
    expect(readArguments(['--node']).does).toBe('hold-node')
  })
  it.each([[['--only', 'x']], [['--only']], [['x']], [['--cassandra', '3']], [['--cassandra']]])(
    '%j are refused',
    (args) => {
      expect(() => readArguments(args)).toThrow(expect.objectContaining({ exitCode: 2 }))
    },
  )
})

it('a machine is busy by the time that its processors worked for others', () => {
  const processor = (/** @type {number} */ user, /** @type {number} */ idle) => ({
    model: '',
    speed: 0,
    times: { user, nice: 0, sys: 0, idle, irq: 0 },
  })
  const before = { processors: [processor(100, 100), processor(100, 100)], ownMs: 50 }
  const processors = [processor(400, 100), processor(300, 200)]
  expect(othersShare(before, { processors, ownMs: 50 })).toBe(5 / 6)
  expect(othersShare(before, { processors, ownMs: 350 })).toBe(1 / 3)
  expect(othersShare(before, before)).toBe(0)
})

it('the work of a run is that of all processes below it, also of processes that have ended', () => {
  const stat = (/** @type {number} */ id, /** @type {number} */ parent, /** @type {string} */ times) =>
    `${id} (a (b) c) S ${parent} 1 1 0 -1 4194560 9 9 9 9 ${times} 20 0 1 0 1 1 1`
  const stats = [
    stat(30, 20, '1 2 3 4'),
    stat(10, 1, '100 100 100 100'),
    stat(20, 10, '10 0 0 20'),
    stat(40, 1, '7 7 7 7'),
  ]
  expect(treeMs(stats, 10)).toBe(4_400)
  expect(treeMs(stats, 20)).toBe(400)
  expect(treeMs(stats, 40)).toBe(280)
})

describe('the plan', () => {
  it('has a part for each stage, and the build before the browser', () => {
    for (const stage of STAGES) expect(plan([stage]).map((part) => part.stage)).toContain(stage)
    expect(plan(['e2e']).map(({ name }) => name)).toEqual(['build the console', 'end to end'])
    const names = ['cassandra', 'chromium', ...plan([...STAGES]).map(({ name }) => name)]
    for (const { needs } of plan([...STAGES])) expect(names).toEqual(expect.arrayContaining(needs))
  })
  it.each(
    /** @type {const} */ ([
      ['integration', '.integration.', 50],
      ['unit', '.test.', 200],
    ]),
  )('has every %s test in one project of vitest', (stage, word, least) => {
    const files = select(ROOT, stage, [word])?.files ?? []
    expect(files.length).toBeGreaterThan(least)
    // Property tests run once more in the project of what is long, with all of their schedules.
    const projects = (/** @type {string} */ file) =>
      projectsOf(file).filter((name) => name !== 'long' || !file.endsWith('.property.test.ts'))
    for (const file of files) expect(projects(file), file).toHaveLength(1)
    const again = select(ROOT, 'long', ['.property.test.'])?.files ?? []
    for (const file of again) expect(projectsOf(file), file).toContain('long')
    expect(again.length).toBeGreaterThan(5)
  })
  it('lets each two projects run in one call of vitest', () => {
    // Vitest refuses two projects of one order that have different numbers of workers.
    const workers = new Map()
    for (const { test } of /** @type {{ test: any }[]} */ (vitestConfig.test?.projects ?? [])) {
      const { maxWorkers, sequence } = test
      const order = sequence?.groupOrder ?? 0
      expect(workers.get(order) ?? maxWorkers, `order ${order}`).toBe(maxWorkers)
      workers.set(order, maxWorkers)
    }
    expect(workers.size).toBeGreaterThan(3)
  })
  it('has no test beside others of its process that changes or watches all of it', () => {
    const files = [
      ...(select(ROOT, 'unit', ['.test.'])?.files ?? []),
      ...(select(ROOT, 'integration', ['.integration.'])?.files ?? []),
    ]
    const sharing = ['unit', 'integration-waiting', 'integration-console']
    const shared = files.filter((file) => sharing.includes(String(projectsOf(file)[0])))
    expect(shared.length).toBeGreaterThan(250)
    const changing = [
      /\bvi\.(mock|doMock|stubEnv)\(/,
      /\bprocess\.(on|once|chdir|exit)\(/,
      /\bprocess\.(exitCode|env\.\w+|env\[[^\]]*\]) = /,
      /\bspyOn\(process\b/,
    ]
    for (const file of shared) {
      const text = readFileSync(join(ROOT, file), 'utf8')
      for (const each of changing) expect(text, file).not.toMatch(each)
    }
  })
})

/** @param {string} file @returns {unknown[]} the names of vitest's projects that have it */
function projectsOf(file) {
  const { projects = [] } = /** @type {import('vitest/config').TestUserConfig} */ (vitestConfig.test)
  return projects.flatMap((project) => {
    const {
      name,
      include = [],
      exclude = [],
    } = /** @type {{ test: import('vitest/config').ProjectConfig }} */ (project).test
    const isIn = (/** @type {string[]} */ globs) => globs.some((glob) => matchesGlob(file, glob))
    return isIn(include) && !isIn(exclude) ? [name] : []
  })
}

describe('words', () => {
  it('are paths of files, else names of tests', () => {
    expect(select(ROOT, 'unit', ['terminal/terminal', 'run/tasks'])).toEqual({
      files: ['scripts/terminal/terminal.test.mjs', 'scripts/test/run/tasks.test.mjs'],
      name: '',
    })
    const byName = select(ROOT, 'unit', ['are', 'paths', 'of', 'files,'])
    expect(byName?.name).toBe('are paths of files,')
    expect(byName?.files).toContain('scripts/test/test.test.mjs')
    expect(byName?.files.length).toBeLessThan(20)
    expect(select(ROOT, 'e2e', ['no-file-has-this-word'])).toBeNull()
    expect(select(ROOT, 'lint', ['x'])).toEqual({ files: [], name: '' })
  })
  it('find the tests of every folder', () => {
    const tests = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(node_modules|\..*)$/.test(entry.name))
      .flatMap(({ name }) =>
        readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
      )
      .filter(
        (file) => /\.(test|spec|pictures)\.\w+$/.test(file) && !/\/(node_modules|dist|\.\w+)\//.test(file),
      )
    const found = STAGES.flatMap((stage) => select(ROOT, stage, ['.'])?.files ?? [])
    expect(tests.filter((file) => !found.includes(file))).toEqual([])
    expect(tests).toContain('bench/report/documentation.test.mjs')
  })
  it('are looked for in the contract suites that a file runs', () => {
    const { files } = select(ROOT, 'integration', ['lets', 'a', 'ticket', 'expire', 'unless']) ?? {
      files: [],
    }
    expect(files).toContain('lib/leasehold/cassandra/stores/fair-locks.integration.test.ts')
  })
})

describe('counts', () => {
  it('take a file that does not load for a failure', () => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'passed', assertionResults: [{}] },
    ]
    expect(vitestCounts({ numPassedTests: 3, numFailedTests: 0, testResults })).toEqual({
      passed: 3,
      failed: 1,
    })
  })
  it('take a flaky test for a failure', () => {
    expect(playwrightCounts({ stats: { expected: 2, unexpected: 0, flaky: 1 }, errors: [] })).toEqual({
      passed: 2,
      failed: 1,
    })
  })

  const count = (
    /** @type {unknown} */ report,
    /** @type {{ exitCode: number, mayBeEmpty: boolean }} */ ran,
  ) => {
    const dir = temporaryFolder('leasehold-counts')
    const file = join(dir, 'report.json')
    if (report) writeFileSync(file, JSON.stringify(report))
    const counts = countsOf(file, vitestCounts, ran)
    rmSync(dir, { recursive: true })
    return counts
  }
  const none = { numPassedTests: 0, numFailedTests: 0, testResults: [] }
  it('never add up to nothing when something failed', () => {
    expect(count(null, { exitCode: 1, mayBeEmpty: true })).toEqual({ passed: 0, failed: 1 })
    expect(count({ ...none, numPassedTests: 2 }, { exitCode: 1, mayBeEmpty: false })).toEqual({
      passed: 2,
      failed: 1,
    })
  })
  it('take a stage without a test for a failure, unless a name was asked for', () => {
    expect(count(none, { exitCode: 0, mayBeEmpty: false })).toEqual({ passed: 0, failed: 1 })
    expect(count(none, { exitCode: 0, mayBeEmpty: true })).toEqual({ passed: 0, failed: 0 })
  })
})

it('keeps what configures a console away from the tests', () => {
  const env = testEnvironment(
    { PATH: '/bin', PORT: '1', CASSANDRA_KEYSPACE: 'k', LEASEHOLD_DATA_DIR: '/d', LEASEHOLD_DEBUG: '1' },
    { testDir: '/t', jarsDir: '/j', distDir: '.next-test' },
  )
  expect(env).toMatchObject({ PATH: '/bin', LEASEHOLD_DEBUG: '1', LEASEHOLD_TEST_DIR: '/t' })
  expect(env).not.toHaveProperty('PORT')
  expect(env).not.toHaveProperty('CASSANDRA_KEYSPACE')
  expect(env).not.toHaveProperty('LEASEHOLD_DATA_DIR')
})
