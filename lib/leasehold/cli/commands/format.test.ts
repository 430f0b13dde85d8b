import { describe, expect, it } from 'vitest'
import type { Row } from '../connection/open.ts'
import { printable } from '../process/printable.ts'
import { changesBetween, durationText, leftText, rowJson, tableText } from './format.ts'

const row = (name: string, more: Partial<Row> = {}): Row => ({
  name,
  owner: 'o',
  isZombie: false,
  value: null,
  version: 1_767_225_600_250_000n,
  ttlSeconds: 30,
  expiresAtMs: Date.UTC(2026, 0, 1),
  remainingMs: 12_345.6,
  valueRemainingMs: 12_345.6,
  readAtMs: 1_000,
  ...more,
})
const list = (...rows: Row[]) => new Map(rows.map((each) => [each.name, each]))

it.each([
  [0, '0.0 s'],
  [59_999, '59.9 s'],
  [60_000, '1 min 0 s'],
  [3_725_000, '1 h 2 min'],
])('%i ms is %s', (ms, text) => expect(durationText(ms)).toBe(text))

it('escapes characters that control a terminal', () => {
  expect(printable('a\x1b[2Jb\nc‮d')).toBe('a\\u{1b}[2Jb\\u{a}c\\u{202e}d')
  expect(printable('日本 é/…')).toBe('日本 é/…')
})

describe('the time left', () => {
  it.each([
    [row('a'), 2_000, '11.3 s'],
    [row('a'), 99_000, 'verifying'],
    [row('a', { remainingMs: null }), 2_000, 'for ever'],
    [row('a', { owner: null, isZombie: true }), 2_000, 'zombie'],
    // Tables without an owner column, behind a server: the row is the lock.
    [row('a', { owner: null }), 2_000, '11.3 s'],
    [row('a', { owner: null, valueRemainingMs: null }), 2_000, 'held'],
  ])('counts down, and never shows a lease as gone', (lease, nowMs, text) => {
    expect(leftText(lease, nowMs)).toBe(text)
  })
})

it('shows a lease as JSON without loss', () => {
  expect(rowJson(row('a'))).toEqual({
    name: 'a',
    owner: 'o',
    value: null,
    version: '1767225600250000',
    ttlSeconds: 30,
    expiresAt: '2026-01-01T00:00:00.000Z',
    remainingMs: 12_346,
    valueRemainingMs: 12_346,
  })
})

it('aligns columns, and cuts lines that are too long', () => {
  expect(
    tableText(
      ['A', 'B'],
      [
        ['xx', 'y'],
        ['x', 'yyyyyy'],
      ],
      8,
    ),
  ).toEqual(['A   B', 'xx  y', 'x   yyy…'])
})

it('one long name takes no more of a terminal than is left', () => {
  const rows = [
    ['jobs/report', 'host-1', '12.3 s'],
    ['n'.repeat(330), 'o'.repeat(30), '9.0 s'],
  ]
  const [heading, first, long] = tableText(['NAME', 'OWNER', 'LEFT'], rows, 60)
  expect(first).toMatch(/^jobs\/report +host-1 +12\.3 s$/)
  expect(long).toMatch(/^n+…n+ {2}o+…o+ {2}9\.0 s$/)
  expect([heading, first, long].map((line = '') => line.length <= 60)).toEqual([true, true, true])
})

it('one long text does not make each line long where there is no terminal', () => {
  const rows = [
    ['jobs/report', 'host-1', '12.3 s', 'v'],
    [`jobs/${'n'.repeat(60_000)}/eu`, `host-2:${'o'.repeat(200_000)}:1`, '9.0 s', 'w'.repeat(300)],
    [`jobs/${'n'.repeat(60_000)}/us`, 'host-3', '9.0 s', ''],
  ]
  const [, first = '', eu = '', us = ''] = tableText(['NAME', 'OWNER', 'LEFT', 'VALUE'], rows, null)
  expect(first).toMatch(/^jobs\/report +host-1 +12\.3 s +v$/)
  expect(eu).toMatch(/^jobs\/n+…n+\/eu {2}host-2:o+…o+:1 {2}9\.0 s {3}w+…$/)
  expect(us).toMatch(/^jobs\/n+…n+\/us {2}host-3 +9\.0 s$/)
  expect(Math.max(first.length, eu.length, us.length)).toBeLessThanOrEqual(3 * 64 + 6 + 3 * 2)
  const name = 'n'.repeat(64)
  expect(tableText(['NAME'], [[name]], null)[1]).toBe(name)
})

it('distinguishes changes from renewals', async () => {
  const before = list(row('same'), row('goes'), row('moves'), row('says'))
  const after = list(
    row('same', { version: 2n }),
    row('moves', { owner: 'p' }),
    row('says', { value: 'v' }),
    row('comes'),
  )
  const changes = await changesBetween(before, after, async () => false)
  expect(changes.map(({ kind, row }) => [kind, row.name])).toEqual([
    ['changed', 'moves'],
    ['changed', 'says'],
    ['appeared', 'comes'],
    ['gone', 'goes'],
  ])
})

it('calls no lease gone that a list lacks because it ends at its limit', async () => {
  const isThere = async (name: string) => name === 'pushed-out'
  const changes = await changesBetween(list(row('ended'), row('pushed-out')), list(row('new')), isThere)
  expect(changes.map(({ kind, row }) => [kind, row.name])).toEqual([
    ['appeared', 'new'],
    ['gone', 'ended'],
  ])
})

it('a line that is cut at the width cuts no character in two', () => {
  const [, row = ''] = tableText(['NAME'], [['x👑👑👑']], 5)
  expect(row).toBe('x👑…')
  const [, cut = ''] = tableText(['NAME', 'V'], [['x👑👑👑👑👑', 'v']], 11)
  expect(cut).toBe('x👑…👑    v')
})

it('a name and an owner are cut in the middle, so that their ends tell rows apart; a value keeps its beginning', () => {
  const names = ['eu', 'us'].map((end) => [
    `shop/${'n'.repeat(220)}/${end}`,
    `web-3:4711:${'o'.repeat(190)}:1`,
  ])
  const rows = names.map((cells) => [...cells, '12.3 s', `{"host":"${'v'.repeat(90)}"}`])
  const lines = tableText(['NAME', 'OWNER', 'LEFT', 'VALUE'], rows, 80).slice(1)
  expect(lines[0]).toMatch(/^shop\/n+…n+\/eu {2}web-3:\S+…\S+:1 {2}12\.3 s {2}\{"host"\S+…$/)
  expect(lines[1]).toMatch(/^shop\/n+…n+\/us /)
  expect(lines.every((line) => line.length <= 80)).toBe(true)
})
