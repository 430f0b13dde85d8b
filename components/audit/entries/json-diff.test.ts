import { describe, expect, it } from 'vitest'
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
})
