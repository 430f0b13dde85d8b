import { expect, it } from 'vitest'
import {
  nameProblem,
  pathOfView,
  queryOfView,
  viewsIn,
  viewsMax,
  withoutView,
  withView,
} from './saved-views.ts'

const query = (text: string) => queryOfView(new URLSearchParams(text))

it('a view is its filters, order and columns, and neither an open dialog nor what a link adds', () => {
  expect(query('new=1&state=risk&q=a%20b&release=x&hide=owner')).toBe('q=a+b&state=risk&hide=owner')
  expect(query('hide=owner&q=a b')).toBe(query('q=a+b&hide=owner'))
  expect([query('q='), pathOfView({ name: 'all', query: '' })]).toEqual(['', '/'])
  expect(pathOfView({ name: 'x', query: query('q=?/%26') })).toBe('/?q=%3F%2F%26')
})

it('a name is taken once: the view that is saved under it last is the one', () => {
  const one = withView([], { name: 'b', query: 'q=1' })
  const two = withView(withView(one, { name: 'a', query: '' }), { name: 'b', query: 'q=2' })
  expect(two).toEqual([
    { name: 'a', query: '' },
    { name: 'b', query: 'q=2' },
  ])
  expect(withoutView(two, 'a')).toEqual([{ name: 'b', query: 'q=2' }])
})

it('says why a name cannot be used', () => {
  expect(nameProblem([], ' ')).toBe('A view needs a name.')
  expect(nameProblem([], 'x'.repeat(61))).toBe('The name has 61 characters; 60 are allowed.')
  const full = Array.from({ length: viewsMax }, (_, i) => ({ name: `${i}`, query: '' }))
  expect(nameProblem(full, 'more')).toContain('Delete one first.')
  expect(nameProblem(full, '7')).toBeNull()
})

it('what a browser stored is looked at: what is no view is left out', () => {
  expect(viewsIn(null)).toEqual([])
  for (const text of ['', 'no JSON', '{}', '7', 'null']) expect(viewsIn(text)).toEqual([])
  const stored = [
    { name: 'good', query: 'q=a&release=all' },
    { name: '', query: 'q=a' },
    { name: 7, query: 'q=a' },
    { name: 'script', query: 'javascript:alert(1)' },
    null,
  ]
  expect(viewsIn(JSON.stringify(stored))).toEqual([
    { name: 'good', query: 'q=a' },
    { name: 'script', query: '' },
  ])
})
