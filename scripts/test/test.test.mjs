import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readArguments, STAGES } from './arguments.mjs'
import { countsOf, playwrightCounts, vitestCounts } from './counts.mjs'
import { testEnvironment } from './environment.mjs'

describe('arguments', () => {
  it('are all stages unless some are named, always in order', () => {
    expect(readArguments([]).stages).toEqual(STAGES)
    expect(readArguments(['--only', 'e2e,unit']).stages).toEqual(['unit', 'e2e'])
    expect(readArguments(['--only=unit', '--', 'a', 'b'])).toEqual({
      help: false,
      stages: ['unit'],
      filter: 'a b',
    })
  })
  it.each([[['--only', 'x']], [['--only']], [['x']]])('%j are refused', (args) => {
    expect(() => readArguments(args)).toThrow(expect.objectContaining({ exitCode: 2 }))
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
    const dir = mkdtempSync(join(tmpdir(), 'leasehold-counts-'))
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
