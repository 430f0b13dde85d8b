import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { BeforeAfter } from './before-after.tsx'
import { jsonDiff, jsonLines } from './json-diff.ts'

const shown = (before: unknown, after: unknown) =>
  jsonDiff(before, after).map(({ before, after, changed }) => `${changed ? '≠' : '='} ${before} | ${after}`)

describe('what an act changed', () => {
  it('stands side by side, with the changed lines marked', () => {
    expect(shown({ role: 'viewer', disabled: false }, { disabled: false, role: 'admin' })).toEqual([
      '= { | {',
      '=   "disabled": false, |   "disabled": false,',
      '≠   "role": "viewer" |   "role": "admin"',
      '= } | }',
    ])
  })

  it('a line that is on one side alone has nothing beside it, and moves nothing', () => {
    expect(shown({ a: 1, c: 3 }, { a: 1, b: 2, c: 3 })).toEqual([
      '= { | {',
      '=   "a": 1, |   "a": 1,',
      '≠ null |   "b": 2,',
      '=   "c": 3 |   "c": 3',
      '= } | }',
    ])
  })

  it('is all new where there was nothing', () => {
    expect(shown(null, { a: 1 })).toEqual(['≠ null | {', '≠ null |   "a": 1', '≠ null | }'])
    expect(jsonDiff(null, undefined)).toEqual([])
  })

  it('a comma that only says that more follows is no change', () => {
    expect(jsonDiff({ a: 1 }, { a: 1, b: 2 }).filter(({ changed }) => changed)).toEqual([
      { before: null, after: '  "b": 2', changed: true },
    ])
  })

  it('texts and numbers are values too', () => {
    expect(jsonLines('cut')).toEqual(['"cut"'])
    expect(shown(0, 1)).toEqual(['≠ 0 | 1'])
  })

  it('very long values are compared place by place', () => {
    const long = Array.from({ length: 700 }, (_, i) => i)
    const lines = jsonDiff(long, [...long.slice(0, 699), -1])
    expect(lines).toHaveLength(702)
    expect(lines.filter(({ changed }) => changed)).toEqual([
      { before: '  699', after: '  -1', changed: true },
    ])
  })

  it('pairs by key: of two objects of different shape no line stands beside a key of another name', () => {
    expect(
      shown(
        { owner: 'a', planId: 'p', version: 7 },
        { mode: 'kill', outcome: 'killed', planId: 'q', safeAt: null },
      ),
    ).toEqual([
      '= { | {',
      '≠ null |   "mode": "kill",',
      '≠ null |   "outcome": "killed",',
      '≠   "owner": "a", | null',
      '≠   "planId": "p", |   "planId": "q",',
      '≠ null |   "safeAt": null',
      '≠   "version": 7 | null',
      '= } | }',
    ])
  })

  it('a key belongs to its own object: the same name in another is another key', () => {
    expect(shown({ a: { at: 1 }, b: { x: 1 } }, { b: { at: 1, x: 2 }, c: { at: 1 } })).toEqual([
      '= { | {',
      '≠   "a": { | null',
      '≠     "at": 1 | null',
      '≠   }, | null',
      '=   "b": { |   "b": {',
      '≠ null |     "at": 1,',
      '≠     "x": 1 |     "x": 2',
      '=   } |   },',
      '≠ null |   "c": {',
      '≠ null |     "at": 1',
      '≠ null |   }',
      '= } | }',
    ])
  })

  it('a value of another kind is changed in its first line, and stands alone below it', () => {
    expect(shown({ a: { x: 1 } }, { a: ['y'] })).toEqual([
      '= { | {',
      '≠   "a": { |   "a": [',
      '≠     "x": 1 | null',
      '≠   } | null',
      '≠ null |     "y"',
      '≠ null |   ]',
      '= } | }',
    ])
    expect(shown({}, { a: 1 })).toEqual(['= { | {', '≠ null |   "a": 1', '= } | }'])
  })

  it('an element that joined a list or left it moves nothing', () => {
    expect(shown(['a', 'b', 'c'], ['b', 'c', 'd'])).toEqual([
      '= [ | [',
      '≠   "a", | null',
      '=   "b", |   "b",',
      '=   "c" |   "c",',
      '≠ null |   "d"',
      '= ] | ]',
    ])
  })
})

/** The cells, with the word that says to a screen reader what their sign says to the eye. */
const cells = (before: unknown, after: unknown) =>
  [...renderToStaticMarkup(createElement(BeforeAfter, { before, after })).matchAll(/<td(.*?)<\/td>/g)]
    .map(([, cell = '']) => {
      const sign = /class="([^"]+)">/.exec(cell.slice(0, cell.indexOf('>') + 1))?.[1] ?? ''
      const text = cell
        .slice(cell.indexOf('>') + 1)
        .replace(/<[^>]*>/g, '')
        .replaceAll('&quot;', '"')
      return `${sign}|${text}`
    })
    .filter((cell) => cell.includes('"'))

it('the owner that a kill removed is marked as gone, what the kill wrote as new, and nothing as changed', () => {
  expect(cells({ owner: 'worker-1' }, { mode: 'kill' })).toEqual([
    'new|only after:   "mode": "kill"',
    'gone|only before:   "owner": "worker-1"',
  ])
})

it('a key of both sides is marked where its value differs', () => {
  expect(cells({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual([
    '|  "a": 1,',
    '|  "a": 1,',
    'changed|changed:   "b": 2',
    'changed|changed:   "b": 3',
  ])
})

it('nothing is marked where there is nothing to compare with', () => {
  expect(cells(null, { a: 1 })).toEqual(['|  "a": 1'])
})
