import { expect, it } from 'vitest'
import { columns, hiddenColumns, withColumn } from './columns.ts'

it('the URL says which columns are left out; without it, what is remembered does', () => {
  expect(hiddenColumns(null, 'value,version')).toEqual(['value', 'version'])
  expect(hiddenColumns('version,owner,colour', 'value')).toEqual(['owner', 'version'])
  expect(hiddenColumns('none', 'value')).toEqual([])
})

it('a column is left out and comes back, and all of them can be', () => {
  expect(withColumn([], 'value', false)).toBe('value')
  expect(withColumn(['version'], 'value', false)).toBe('value,version')
  expect(withColumn(['value'], 'value', true)).toBe('none')
  let hidden = hiddenColumns(null, '')
  for (const column of columns) hidden = hiddenColumns(withColumn(hidden, column, false), '')
  expect(hidden).toEqual(columns)
})
