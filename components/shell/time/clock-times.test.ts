import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const components = resolve(import.meta.dirname, '../..')

/** The clock itself shows now; a filter says its date beside it; an axis says the date where a day begins. */
const withoutDate = [
  'audit/filter/audit-filter.ts',
  'history/history-view.tsx',
  'shell/truth/truth-strip.tsx',
]

it('a moment is said with its date when it is another day: before midnight, a safe-at is tomorrow', () => {
  const wrong = readdirSync(components, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !file.endsWith('.test.ts') &&
      /\bclockText\b|toISOString\(\)\.slice/.test(readFileSync(join(components, file), 'utf8')),
  )
  expect(wrong.toSorted()).toEqual(withoutDate)
})
