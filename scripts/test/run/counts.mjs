import { readFileSync } from 'node:fs'

/**
 * How many tests passed and failed, by the reports of vitest and Playwright. What failed outside of any test (a file
 * that does not load, an uncaught rejection) counts as one: a failure must never add up to none.
 *
 * @typedef {{ passed: number, failed: number }} Counts
 */

/** @param {{ numPassedTests: number, numFailedTests: number, testResults: { status: string, assertionResults: unknown[] }[] }} report */
export function vitestCounts(report) {
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length }
}

/** @param {{ stats: { expected: number, unexpected: number, flaky: number }, errors: unknown[] }} report */
export function playwrightCounts({ stats, errors }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + (stats.unexpected > 0 ? 0 : errors.length),
  }
}

/**
 * @template T
 * @param {string} file
 * @param {(report: T) => Counts} count
 * @param {{ exitCode: number | null, mayBeEmpty: boolean }} ran mayBeEmpty: only some tests were asked for by name
 * @returns {Counts}
 */
export function countsOf(file, count, { exitCode, mayBeEmpty }) {
  /** @type {Counts} */
  let counts
  try {
    counts = count(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    counts = { passed: 0, failed: 0 } // No report: it ended before it could write one.
  }
  const ranNothing = counts.passed + counts.failed === 0
  if (counts.failed === 0 && (exitCode !== 0 || (ranNothing && !mayBeEmpty)))
    counts = { ...counts, failed: 1 }
  return counts
}
