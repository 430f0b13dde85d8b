import { expect, it } from 'vitest'
import type { Lease, LeaseList } from '../../contract/leases/lease.ts'
import { testLease } from '../row/test-lease.ts'
import { exported, exportMax, exportQuery, readPages } from './lease-export.ts'
import { type LeaseView, viewOf } from './lease-view.ts'

const lines = (text: string) => text.trimEnd().split(/\r?\n/)

it('a CSV has one line a lease, quoted where it has to be', () => {
  const [head, row] = lines(exported([testLease({ name: 'a,b', value: 'say "hi"', owner: null })], 'csv'))
  expect(head).toBe('table,name,owner,value,state,version,writtenAt,expiresAt,ttlSeconds,readLevel,readAt')
  expect(row).toMatch(/^leases,"a,b",,"say ""hi""",held,1795144425302118,/)
})

it('neither a CSV nor text to paste has a formula that a spreadsheet would run', () => {
  for (const value of ['=1+1', '+1', '-1', '@x', '\tx'])
    expect(exported([testLease({ value })], 'csv')).toContain(`,'${value}`)
  for (const value of ['=1+1', '+1', '-1', '@x'])
    expect(exported([testLease({ value })], 'text')).toContain(`\t'${value}\t`)
})

it('text to paste has a cell a column, and JSON the lease letter for letter', () => {
  const lease = testLease({ value: 'two\tcells\nand lines', name: '=x' })
  expect(lines(exported([lease], 'text')).map((line) => line.split('\t').length)).toEqual([11, 11])
  expect(JSON.parse(exported([lease], 'json'))).toEqual([lease])
})

const answer = (leases: Lease[], nextCursor: string | null): LeaseList => ({
  leases,
  nextCursor,
  now: '2026-11-20T03:14:00.000Z',
  scan: { rows: 1, tookMs: 1, endedAt: null },
})

it.each(['asc', 'desc'] as const)(
  'has each lease once, also those that are renewed while it reads (%s)',
  async (order) => {
    const view: LeaseView = { ...viewOf(() => null), sort: 'left', order }
    const { sort, limit, order: asked }: { sort: string; limit: number; order: string } = exportQuery(view)
    const table = Array.from({ length: 2.5 * limit }, (_, i) => ({
      name: `${i}`.padStart(4, '0'),
      endsAtMs: i,
    }))
    const place = ({ name, endsAtMs }: (typeof table)[number]) =>
      (sort === 'name' ? '' : `${endsAtMs}`.padStart(9, '0')) + name
    const page = async (cursor: string | undefined) => {
      const sorted = table.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
      if (asked === 'desc') sorted.reverse()
      const isBehind = (row: (typeof table)[number]) =>
        cursor === undefined || (asked === 'desc' ? place(row) < cursor : place(row) > cursor)
      const rows = sorted.filter(isBehind).slice(0, limit)
      const last = rows.at(-1)
      const next = last !== undefined && rows.length === limit ? place(last) : null
      // Every second holder renews before the next page is read.
      for (const row of table) if (Number(row.name) % 2 === 0) row.endsAtMs += 1_000_000
      return answer(
        rows.map(({ name }) => testLease({ name })),
        next,
      )
    }
    const { leases, isWhole } = await readPages(page, () => {})
    expect(isWhole).toBe(true)
    expect(leases.map(({ name }) => name).sort()).toEqual(table.map(({ name }) => name))
  },
)

it('all pages are read, up to a bound', async () => {
  const page = (rows: number, last: number) => async (cursor: string | undefined) => {
    const at = Number(cursor ?? '0')
    const leases: Lease[] = Array.from({ length: rows }, (_, i) => testLease({ name: `${at}/${i}` }))
    return answer(leases, at === last ? null : String(at + 1))
  }
  const seen: number[] = []
  const small = await readPages(page(200, 2), (read) => seen.push(read))
  expect([small.leases.length, small.isWhole, seen]).toEqual([600, true, [200, 400, 600]])
  const large = await readPages(page(200, 1000), () => {})
  expect([large.leases.length, large.isWhole]).toEqual([exportMax, false])
  // Pages may have fewer rows than were asked for, and the bound may lie within the last one.
  const uneven = await readPages(page(199, 50), () => {})
  expect([uneven.leases.length, uneven.isWhole]).toEqual([exportMax, false])
})
