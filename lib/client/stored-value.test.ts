import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { preference } from './preference.ts'
import { savedViews, withView } from './view/saved-views.ts'

/** What all tabs of a browser share. A tab gets an event for what another tab stores. */
const storage = new Map<string, string>()
let onStorage: ((event: { key: string | null }) => void) | undefined
let isForbidden: boolean

const allowed = () => {
  if (isForbidden) throw new DOMException('Forbidden.', 'SecurityError')
}
const inAnotherTab = (key: string, text: string) => {
  storage.set(key, text)
  onStorage?.({ key })
}

beforeEach(() => {
  storage.clear()
  isForbidden = false
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => {
      allowed()
      return storage.get(key) ?? null
    },
    setItem: (key: string, text: string) => {
      allowed()
      storage.set(key, text)
    },
  })
  vi.stubGlobal('addEventListener', (_: string, listener: typeof onStorage) => {
    onStorage = listener
  })
  vi.stubGlobal('removeEventListener', () => {
    onStorage = undefined
  })
})
afterEach(() => vi.unstubAllGlobals())

const viewsKey = 'leasehold-saved-views'
const named = (name: string) => ({ name, query: '' })
const theirs = JSON.stringify([named('theirs')])
const names = () => savedViews.read().map(({ name }) => name)

it('a view that another tab saved while no list was open here was lost with the next save', () => {
  const leave = savedViews.subscribe(() => {})
  expect(names()).toEqual([])
  leave()
  inAnotherTab(viewsKey, theirs)
  savedViews.subscribe(() => {})()
  expect(names()).toEqual(['theirs'])
  savedViews.change((views) => withView(views, named('second')))
  expect(JSON.parse(storage.get(viewsKey) ?? '')).toEqual([named('second'), named('theirs')])
})

it('a view that another tab saved a moment ago was lost with a save before its event came', () => {
  const leave = savedViews.subscribe(() => {})
  expect(names()).toEqual([])
  storage.set(viewsKey, theirs)
  savedViews.change((views) => withView(views, named('second')))
  expect(names()).toEqual(['second', 'theirs'])
  leave()
})

it('a choice that another tab made while no component showed it here was not seen', () => {
  const zone = preference('zone', ['utc', 'local'])
  zone.write('local')
  inAnotherTab('zone', 'utc')
  expect(zone.read()).toBe('utc')
})

it('the views are the same array until one is saved, or React would draw for ever', () => {
  storage.set(viewsKey, theirs)
  expect(savedViews.read()).toBe(savedViews.read())
  storage.clear()
  expect(savedViews.read()).toBe(savedViews.read())
})

it('tells its components of each change, of another tab’s too', () => {
  const zone = preference('zone', ['utc', 'local'])
  const seen: string[] = []
  const leave = zone.subscribe(() => seen.push(zone.read()))
  zone.write('local')
  inAnotherTab('zone', 'utc')
  onStorage?.({ key: 'another key' })
  storage.clear()
  onStorage?.({ key: null })
  leave()
  expect(seen).toEqual(['local', 'utc', 'utc'])
  expect(onStorage).toBeUndefined()
})

it('where storage is forbidden, a choice lasts as long as the page', () => {
  isForbidden = true
  const zone = preference('zone', ['utc', 'local'])
  expect(zone.read()).toBe('utc')
  zone.write('local')
  zone.subscribe(() => {})()
  expect(zone.read()).toBe('local')
  // The permission may come back.
  isForbidden = false
  zone.write('utc')
  expect([zone.read(), storage.get('zone')]).toEqual(['utc', 'utc'])
})
