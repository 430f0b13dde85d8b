import { expect, it } from 'vitest'
import { listPath, newLeasePath } from './lease-link.ts'

it('keeps the table, and the name letter for letter', () => {
  expect(listPath()).toBe('/')
  expect(listPath('jobs')).toBe('/?table=jobs')
  const { searchParams } = new URL(newLeasePath(' a&b/%', 'jobs'), 'http://console')
  expect(Object.fromEntries(searchParams)).toEqual({ table: 'jobs', new: '1', name: ' a&b/%' })
})
