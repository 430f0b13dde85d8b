import { describe, expect, it } from 'vitest'
import {
  askedFor,
  auditPath,
  fieldOfInstant,
  filterCount,
  filterOf,
  instantOfField,
  unreadFilters,
} from './audit-filter.ts'

const of = (search: string) => filterOf(new URLSearchParams(search))

describe('the filters of the audit log', () => {
  it('stand in the URL, and come back from it', () => {
    const filter = of('act=sign-in&username=anna&name=a/b&outcome=refused&from=2026-11-21T14:00:00.000Z')
    expect(filter).toMatchObject({ act: 'sign-in', username: 'anna', name: 'a/b', chain: 'main' })
    expect(filterCount(filter)).toBe(5)
    expect(of(auditPath(filter).split('?')[1] ?? '')).toEqual(filter)
  })

  it('what is no filter is left out', () => {
    const filter = of('act=dance&from=yesterday&to=2026-13-41T00:00:00Z&chain=golden&username=')
    expect(filterCount(filter)).toBe(0)
    expect(filter.chain).toBe('main')
    expect(auditPath(filter)).toBe('/audit')
  })

  it('what cannot be read is named, so that a wider log than asked for is not taken for the filtered one', () => {
    const unread = (search: string) => unreadFilters(new URLSearchParams(search))
    expect(unread('act=dance&from=yesterday&username=x&chain=golden')).toEqual([
      'act=dance',
      'from=yesterday',
      'chain=golden',
    ])
    expect(unread('act=sign-in&from=2026-11-21T14:00:00.000Z&to=&chain=refused')).toEqual([])
  })

  it('the chain says where to look, and is no filter', () => {
    expect(filterCount(of('chain=refused'))).toBe(0)
    expect(auditPath({ chain: 'refused' })).toBe('/audit?chain=refused')
  })
})

it('plans that were only looked at are left out, unless the URL asks for plans', () => {
  expect(askedFor(of('name=a/b')).without).toBe('release-plan')
  expect(askedFor(of('act=release-plan'))).toMatchObject({ act: 'release-plan', without: undefined })
})

describe('a time that is typed', () => {
  it('is of the zone that the page shows', () => {
    expect(instantOfField('2026-11-21 14:00', 'utc')).toBe('2026-11-21T14:00:00.000Z')
    expect(instantOfField(' 2026-11-21T14:00:07 ', 'utc')).toBe('2026-11-21T14:00:07.000Z')
    expect(instantOfField('2026-11-21', 'utc')).toBe('2026-11-21T00:00:00.000Z')
    expect(fieldOfInstant('2026-11-21T14:00:00.000Z', 'utc')).toBe('2026-11-21 14:00')
    expect(fieldOfInstant('2026-11-21T14:00:07.000Z', 'utc')).toBe('2026-11-21 14:00:07')
  })

  it('comes back as it went, to the millisecond: links to one entry depend on it', () => {
    for (const zone of ['utc', 'local'] as const)
      for (const iso of ['2026-07-21T14:00:00.000Z', '2026-11-21T14:00:07.012Z'])
        expect(instantOfField(fieldOfInstant(iso, zone), zone)).toBe(iso)
  })

  it('is none while it is half typed', () => {
    for (const half of ['', '2026', '2026-11-2', '2026-11-21 14', '2026-13-41', 'now'])
      for (const zone of ['utc', 'local'] as const) expect(instantOfField(half, zone)).toBeUndefined()
    expect(fieldOfInstant(undefined, 'utc')).toBe('')
  })
})
