import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leaseStateSchema } from '../../../contract/leases/lease.ts'
import { leaseSorts } from '../../../contract/leases/list-order.ts'
import { runId } from '../../lab/journal/run-facts.ts'
import { row, toTheEnd } from '../test-rows.ts'
import { cursorAt, leaseOrders, placeOf } from './lease-order.ts'
import { NameView } from './name-view.ts'
import { isWithin, type RowChange, View, type ViewSpec } from './view.ts'
import type { WatchedRow } from './watched-row.ts'

const labRun = runId(Date.now(), 'abcde')

const all: ViewSpec = { sort: 'name', prefix: '', q: '', owner: null, states: null, within: '' }
const states = leaseStateSchema.options

const made = (spec: ViewSpec, from: Iterable<WatchedRow> | View): View => toTheEnd(View.inSteps(spec, from))

const rows = fc.record({
  name: fc.constantFrom(...Array.from({ length: 60 }, (_, i) => `${i % 3 === 0 ? 'a/' : 'B/'}${i}`)),
  owner: fc.constantFrom(null, 'ann:1', 'ben:2', 'Cleo'),
  state: fc.constantFrom(...states),
  expiresAtMs: fc.option(fc.nat(5)),
  heldSinceMs: fc.option(fc.nat(5)),
})
const specs = fc.record({
  sort: fc.constantFrom(...leaseSorts),
  prefix: fc.constantFrom('', 'a/', 'B/1'),
  q: fc.constantFrom('', 'b/2', 'CLEO', 'none such'),
  owner: fc.constantFrom(null, 'ann:1'),
  states: fc.constantFrom(null, ['risk' as const], ['held' as const, 'zombie' as const]),
  within: fc.constantFrom('', 'a/'),
})

it('changed row by row, it is what it would be made new, in each window of either order', () => {
  fc.assert(
    fc.property(specs, fc.array(fc.tuple(rows, fc.boolean()), { maxLength: 150 }), (spec, steps) => {
      const known = new Map<string, WatchedRow>()
      const view = made(spec, [])
      for (const [facts, isGone] of steps) {
        const before = known.get(facts.name) ?? null
        const after = isGone ? null : row(facts.name, facts)
        if (before === null && after === null) continue
        if (after === null) known.delete(facts.name)
        else known.set(facts.name, after)
        view.change(before, after)
      }
      const fresh = made(spec, known.values())
      const visible = [...known.values()].filter(({ name }) => name.startsWith(spec.within))
      const matching = visible.filter((each) => fresh.matches(each)).sort(leaseOrders[spec.sort])
      expect(view.counts()).toEqual(fresh.counts())
      expect(view.counts()).toMatchObject({ total: visible.length, matching: matching.length })
      for (const [from, limit] of [
        [0, 10],
        [3, 5],
        [matching.length - 2, 9],
      ] as const) {
        const at = Math.max(0, from)
        expect(view.window('asc', at, limit)).toEqual(matching.slice(at, at + limit))
        expect(view.window('desc', at, limit)).toEqual(matching.toReversed().slice(at, at + limit))
      }
    }),
    { numRuns: 200, seed: 12 },
  )
})

it('built in steps while rows change, it is what it would be made at once in the end', () => {
  const change = fc.tuple(rows, fc.boolean(), fc.nat(9))
  fc.assert(
    fc.property(
      specs,
      fc.array(change, { maxLength: 150 }),
      fc.array(rows, { minLength: 200, maxLength: 400 }),
      fc.boolean(),
      (spec, steps, first, hasWider) => {
        const known = new Map<string, WatchedRow>()
        // Enough rows for some steps.
        for (const [i, facts] of first.entries()) {
          const name = `${facts.name}/${i}`
          known.set(name, row(name, { ...facts, name }))
        }
        const widest = made({ ...all, sort: spec.sort, within: spec.within }, known.values())
        const changes: RowChange[] = []
        const building = View.inSteps(spec, hasWider ? widest : known.values(), changes)
        let step = building.next()
        for (const [facts, isGone, pause] of steps) {
          for (let i = 0; i < pause && !step.done; i++) step = building.next()
          if (step.done) break
          const before = known.get([...known.keys()][facts.expiresAtMs ?? 0] ?? facts.name) ?? null
          const name = before?.name ?? facts.name
          const after = isGone ? null : row(name, { ...facts, name })
          if (before === null && after === null) continue
          if (after === null) known.delete(name)
          else known.set(name, after)
          changes.push([before, after])
        }
        while (!step.done) step = building.next()
        const [view, fresh] = [step.value, made(spec, known.values())]
        expect(view.counts()).toEqual(fresh.counts())
        expect(view.window('asc', 0, 1_000)).toEqual(fresh.window('asc', 0, 1_000))
      },
    ),
    { numRuns: 200, seed: 12 },
  )
})

describe('a cursor', () => {
  it.each(leaseSorts.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
    'goes on after its row, by %s %s, whether the row is still there or not',
    (sort, order) => {
      const many = Array.from({ length: 40 }, (_, i) =>
        row(`job/${i}`, {
          owner: i % 4 === 0 ? null : `o${i % 3}`,
          state: states[i % states.length] ?? 'held',
          expiresAtMs: i % 5 === 0 ? null : i % 7,
          heldSinceMs: i % 6 === 0 ? null : i % 4,
        }),
      )
      const view = made({ ...all, sort }, many)
      const expected = view.window(order, 0, 100).map(({ name }) => name)
      const found: string[] = []
      let removed: string | undefined
      for (let rank = 0; ; ) {
        const page = view.window(order, rank, 7)
        found.push(...page.map(({ name }) => name))
        const last = page.at(-1)
        if (last === undefined) break
        const cursor = cursorAt(sort, order, last)
        if (removed === undefined) {
          removed = last.name
          view.change(last, null)
        }
        rank = view.after(order, placeOf(cursor, sort, order))
      }
      expect(found).toEqual(expected)
      expect(new Set(found).size).toBe(40)
    },
  )

  it('of another order, or of no list at all, is refused', () => {
    const cursor = cursorAt('left', 'asc', row('job'))
    expect(() => placeOf(cursor, 'left', 'desc')).toThrow('another order')
    for (const made of ['', 'x', Buffer.from('[1]').toString('base64url'), `${cursor}x`.slice(3)])
      expect(() => placeOf(made, 'left', 'asc')).toThrow('did not issue')
  })
})

it('trouble: the worst state first, then the least time left, then the name', () => {
  const view = made({ ...all, sort: 'trouble' }, [
    row('held-late', { expiresAtMs: 9_000 }),
    row('held-b', { expiresAtMs: 1_000 }),
    row('held-a', { expiresAtMs: 1_000 }),
    row('eternal', { state: 'eternal', expiresAtMs: null }),
    row('risk-late', { state: 'risk', expiresAtMs: 2_000 }),
    row('risk', { state: 'risk', expiresAtMs: 1_000 }),
    row('zombie', { state: 'zombie', owner: null }),
  ])
  expect(view.window('asc', 0, 9).map(({ name }) => name)).toEqual([
    'risk',
    'risk-late',
    'zombie',
    'eternal',
    'held-a',
    'held-b',
    'held-late',
  ])
})

it('counts states of what all filters but the state let through', () => {
  const view = made({ ...all, prefix: 'a/', states: ['risk'] }, [
    row('a/1', { state: 'risk' }),
    row('a/2'),
    row('b/1', { state: 'risk' }),
  ])
  expect(view.counts()).toEqual({ total: 3, matching: 1, byState: { risk: 1, held: 1 } })
})

it('the rows of canaries are left out of rows and counts, unless their prefix is asked for', () => {
  const canary = row('leasehold/canary/1')
  const rows = [row('job'), row('leasehold/recorder'), canary]
  const namesOf = (view: View) => view.window('asc', 0, 10).map(({ name }) => name)
  const view = made(all, rows)
  view.change(null, row('leasehold/canary/2'))
  expect([namesOf(view), view.counts().total, view.matches(canary)]).toEqual([
    ['job', 'leasehold/recorder'],
    2,
    false,
  ])
  const asked = made({ ...all, prefix: 'leasehold/canary/' }, rows)
  expect([namesOf(asked), asked.counts()]).toEqual([
    ['leasehold/canary/1'],
    { total: 3, matching: 1, byState: { held: 1 } },
  ])
  expect(namesOf(made({ ...all, prefix: 'leasehold/' }, rows))).toEqual(['leasehold/recorder'])
})

it('leaves out the console’s own leases, and counts them nowhere, unless it is asked for them', () => {
  const known = ['leasehold/recorder', 'leasehold-of-a-program', 'job'].map((name) => row(name))
  const names = (view: View) => view.window('asc', 0, 10).map(({ name }) => name)
  const hiding = made({ ...all, hidesOwn: true }, known)
  expect(names(hiding)).toEqual(['job', 'leasehold-of-a-program'])
  expect(hiding.counts()).toMatchObject({ total: 2, matching: 2, byState: { held: 2 } })
  hiding.change(null, row('leasehold/recovery'))
  expect(hiding.counts()).toMatchObject({ total: 2, matching: 2 })
  expect(names(made(all, known))).toContain('leasehold/recorder')
})

it('what is wrong with a lease of the lab is no alarm, and is shown all the same', () => {
  const ofLab = row(`lab/${labRun}/leader`, { state: 'quarantined' })
  const known = [
    ofLab,
    row(`lab/${runId(Date.now(), 'abcdf')}/leader`),
    row('lab/mine', { state: 'quarantined' }),
  ]
  const names = (view: View) => view.window('asc', 0, 10).map(({ name }) => name)
  const whole = made({ ...all, calmsLab: true }, known)
  expect(names(whole)).toHaveLength(3)
  expect(whole.counts()).toEqual({ total: 3, matching: 3, byState: { held: 1, quarantined: 1 } })
  const trouble = made({ ...all, calmsLab: true, states: ['quarantined', 'flapping'] }, known)
  expect(names(trouble)).toEqual(['lab/mine'])
  for (const view of [whole, trouble]) view.change(ofLab, row(ofLab.name, { state: 'flapping' }))
  expect([names(trouble), whole.counts().byState]).toEqual([['lab/mine'], { held: 1, quarantined: 1 }])
  for (const view of [whole, trouble]) view.change(row(ofLab.name, { state: 'flapping' }), row(ofLab.name))
  expect(whole.counts().byState).toEqual({ held: 2, quarantined: 1 })
  expect(names(made({ ...all, states: ['quarantined'] }, known))).toContain(`lab/${labRun}/leader`)
})

it('of one name shows the row of exactly this name, with all other filters, as it is when it is read', () => {
  const known = new Map<string, WatchedRow>()
  const put = (...names: string[]) => names.map((name) => known.set(name, row(name)))
  const of = (name: string, spec: Partial<ViewSpec> = {}) =>
    new NameView({ ...all, ...spec, name }, () => known.get(name))
  const namesIn = (view: NameView) => view.window('asc', 0, 10).map(({ name }) => name)
  const view = of('job/1')
  expect([namesIn(view), view.counts()]).toEqual([[], { total: 0, matching: 0, byState: {} }])
  put('job/1', 'job/1 ', 'job/10', 'Job/1', 'leasehold/canary/1')
  expect([namesIn(view), view.counts()]).toEqual([['job/1'], { total: 1, matching: 1, byState: { held: 1 } }])
  expect(view.matches(row('job/10'))).toBe(false)
  expect(namesIn(of('leasehold/canary/1'))).toEqual(['leasehold/canary/1'])
  expect(namesIn(of('job/1', { owner: 'another' }))).toEqual([])
  expect(namesIn(of('job/1', { prefix: 'theirs/' }))).toEqual([])
  known.delete('job/1')
  expect(namesIn(view)).toEqual([])
})

describe('a view of ten thousand rows that is made from a wider one', () => {
  const known = new Map(
    Array.from({ length: 10_000 }, (_, i) => {
      const at = (i * 7_919) % 10_000
      const facts = { owner: `o${at % 7}`, state: states[at % 3] ?? 'held', expiresAtMs: at % 100 }
      return [`${at % 2 === 0 ? 'a/' : 'b/'}${at}`, row(`${at % 2 === 0 ? 'a/' : 'b/'}${at}`, facts)] as const
    }),
  )
  it.each<Partial<ViewSpec>>([
    { q: 'V' },
    { q: '1' },
    { prefix: 'a/' },
    { states: ['held', 'risk'] },
    { sort: 'owner', q: '2', states: ['held'] },
  ])('is what it would be made from all rows: %j', (asked) => {
    const spec = { ...all, sort: 'left' as const, ...asked }
    const wider = made({ ...all, sort: spec.sort }, known.values())
    const [view, fresh] = [made(spec, wider), made(spec, known.values())]
    expect(view.counts()).toEqual(fresh.counts())
    expect(view.window('asc', 0, 10_000)).toEqual(fresh.window('asc', 0, 10_000))
    for (const each of [...known.values()].slice(0, 600))
      for (const one of [view, fresh]) one.change(each, null)
    expect(view.counts()).toEqual(fresh.counts())
    expect(view.window('desc', 0, 10_000)).toEqual(fresh.window('desc', 0, 10_000))
    expect(wider.counts().matching).toBe(10_000)
  })
})

it.each<[string, Partial<ViewSpec>, Partial<ViewSpec>, boolean]>([
  ['all has each filter', { q: 'a', prefix: 'b/', owner: 'c', states: ['risk'] }, {}, true],
  ['a longer text is within a shorter one', { q: 'LEASE-1' }, { q: 'lease' }, true],
  ['and not the other way round', { q: 'lease' }, { q: 'lease-1' }, false],
  ['another order', { sort: 'owner' }, {}, false],
  ['one that shows some states counts the others, and has not their rows', {}, { states: ['risk'] }, false],
  ['another owner', { owner: 'a' }, { owner: 'b' }, false],
  ['what another reader may see', { within: 'a/', prefix: 'a/' }, {}, false],
  ['the canary’s rows are in no other view', { prefix: 'leasehold/canary/' }, {}, false],
  ['the console’s own leases', { q: 'leasehold' }, { hidesOwn: true }, false],
])('a view within another: %s', (_, spec, wider, is) => {
  expect(isWithin({ ...all, ...spec }, { ...all, ...wider })).toBe(is)
})
