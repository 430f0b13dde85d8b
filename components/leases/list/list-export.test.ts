import { afterEach, expect, it, vi } from 'vitest'
import { testLease } from '../../../lib/client/row/test-lease.ts'
import type { LeaseList } from '../../../lib/contract/leases/lease.ts'
import { copyList, exportList, type Progress } from './list-export.ts'

const page = vi.fn(async () => ({ leases: [testLease()], nextCursor: null }) as unknown as LeaseList)
const save = vi.fn()
let shown: Progress = { at: 'choice' }
const show = (progress: Progress) => {
  shown = progress
}
const run = (format: 'text' | 'csv', signal = new AbortController().signal) =>
  exportList(format, { page, save, show, signal })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

it('a copy on plain http read all leases, and then said that the page failed', async () => {
  vi.stubGlobal('navigator', {})
  await run('text')
  expect(page).not.toHaveBeenCalled()
  expect(shown).toEqual({
    at: 'not-copied',
    problem: 'The browser allows copying on https only.',
    list: null,
  })
})

it('a copy that the browser refused after a long read lost what was read', async () => {
  const writeText = vi.fn().mockRejectedValueOnce(new DOMException('Too late.', 'NotAllowedError'))
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await run('text')
  expect(shown).toMatchObject({ at: 'not-copied', problem: 'The browser did not allow copying.' })
  if (shown.at !== 'not-copied' || shown.list === null) throw new Error('The text was not kept.')
  await copyList(shown.list, show)
  expect(page).toHaveBeenCalledOnce()
  expect(writeText).toHaveBeenLastCalledWith(expect.stringContaining(testLease().name))
  expect(shown).toEqual({ at: 'done', format: 'text', leases: 1, isWhole: true })
})

it('a file needs no clipboard', async () => {
  vi.stubGlobal('navigator', {})
  await run('csv')
  expect(save).toHaveBeenCalledWith(expect.stringContaining('table,name'), 'csv')
  expect(shown).toMatchObject({ at: 'done', format: 'csv' })
})

it('a failed read is said, unless the reader has left', async () => {
  const error = new Error('unreachable')
  page.mockRejectedValueOnce(error)
  await run('csv')
  expect(shown).toEqual({ at: 'failed', error })
  page.mockRejectedValueOnce(error)
  await run('csv', AbortSignal.abort())
  expect(shown).toEqual({ at: 'reading', read: 0 })
})
