import { expect, it } from 'vitest'
import type { Lease } from '../../contract/leases/lease.ts'
import { testLease } from '../row/test-lease.ts'
import { exported, exportMax, readPages } from './lease-export.ts'

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

it('all pages are read, up to a bound', async () => {
  const page = (rows: number, last: number) => async (cursor: string | undefined) => {
    const at = Number(cursor ?? '0')
    const leases: Lease[] = Array.from({ length: rows }, (_, i) => testLease({ name: `${at}/${i}` }))
    return {
      leases,
      nextCursor: at === last ? null : String(at + 1),
      now: '2026-11-20T03:14:00.000Z',
      scan: { rows: 1, tookMs: 1, endedAt: null },
    }
  }
  const seen: number[] = []
  const small = await readPages(page(200, 2), (read) => seen.push(read))
  expect([small.leases.length, small.isWhole, seen]).toEqual([600, true, [200, 400, 600]])
  const large = await readPages(page(200, 1000), () => {})
  expect([large.leases.length, large.isWhole]).toEqual([exportMax, false])
})
