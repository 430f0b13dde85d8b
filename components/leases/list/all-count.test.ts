import { expect, it } from 'vitest'
import { viewKey, viewOf } from '../../../lib/client/view/lease-view.ts'
import { allCount, haveSameCounts, haveSameTally } from './all-count.ts'

const view = (query: string) => {
  const params = new URLSearchParams(query)
  return viewOf((name) => params.get(name))
}
const counts = { total: 9, matching: 3, byState: { held: 2 } }

it('counts a lease of the lab that is in trouble among all, and says that no state has it', () => {
  expect(allCount(view(''), { ...counts, total: 3 })).toEqual({ all: 3, ofLab: 1 })
  expect(allCount(view('state=flapping'), { ...counts, total: 3, matching: 0 })).toEqual({ all: 3, ofLab: 1 })
  expect(allCount(view('prefix=a'), counts)).toEqual({ all: 3, ofLab: 1 })
  expect(allCount(view('prefix=a&state=held'), { ...counts, matching: 2 })).toEqual({ all: 2, ofLab: 0 })
})

it('says nothing of the lab where each lease has its state counted', () => {
  expect(allCount(view(''), { total: 2, matching: 2, byState: { held: 1, eternal: 1 } })).toEqual({
    all: 2,
    ofLab: 0,
  })
})

it('the counts of the view of before are not those of a new search, nor of one that was cleared', () => {
  const same = (before: string, now: string) => {
    const key = viewKey(view(before))
    return [haveSameCounts(key, view(now)), haveSameTally(key, view(now))]
  }
  expect(same('', 'q=b')).toEqual([false, false])
  expect(same('q=b', '')).toEqual([false, false])
  expect(same('table=jobs', '')).toEqual([false, false])
  expect(same('q=b&sort=name', 'q=b&sort=owner&order=desc')).toEqual([true, true])
  // How many leases are in which state does not depend on which of them are shown.
  expect(same('', 'state=held')).toEqual([false, true])
  expect(same('q=b&state=held', 'q=b')).toEqual([false, false])
  expect(haveSameTally(null, view(''))).toBe(false)
})
