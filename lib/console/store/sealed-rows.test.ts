import { beforeEach, expect, it } from 'vitest'
import { RowSeal } from './row-seal.ts'
import { RowVersions } from './row-versions.ts'
import { type RefusedRow, SealedRows } from './sealed-rows.ts'

let nowMs: number
let reported: string[]
let rows: SealedRows
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1)
  reported = []
  const report = ({ key }: RefusedRow) => void reported.push(key)
  const time = () => nowMs
  rows = new SealedRows({
    seal: new RowSeal(Buffer.alloc(32)),
    versions: new RowVersions(time),
    nowMs: time,
    report,
  })
})
const refuse = (key: string) => rows.refuse({ table: 'api_tokens', key, why: 'seal' })

it('a refused row is reported once a minute, also when the clock was set back', () => {
  refuse('a')
  nowMs += 59_999
  refuse('a')
  expect(reported).toEqual(['a'])
  nowMs += 1
  refuse('a')
  expect(reported).toEqual(['a', 'a'])
  nowMs -= 3_600_000
  refuse('a')
  expect(reported).toEqual(['a', 'a', 'a'])
})

it('of any number of rows that another client wrote, a hundred a minute are reported', () => {
  for (let look = 0; look < 2; look++) for (let row = 0; row < 20_000; row++) refuse(`forged ${row}`)
  expect(reported).toHaveLength(100)
  nowMs += 60_000
  refuse('b')
  expect(reported.at(-1)).toBe('b')
})
