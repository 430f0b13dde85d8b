/** An export of the list, from the choice of its format to its end. */
import { copyText, noClipboard } from '../../../lib/client/copy-text.ts'
import { type ExportFormat, exported, readPages } from '../../../lib/client/view/lease-export.ts'
import type { LeaseList } from '../../../lib/contract/leases/lease.ts'

interface ReadList {
  text: string
  leases: number
  isWhole: boolean
}

export type Progress =
  | { at: 'choice' }
  | { at: 'reading'; read: number }
  | { at: 'done'; format: ExportFormat; leases: number; isWhole: boolean }
  /** `list`: what was read and can be copied without another read; null: nothing was read. */
  | { at: 'not-copied'; problem: string; list: ReadList | null }
  | { at: 'failed'; error: unknown }

interface ExportParts {
  page: (cursor: string | undefined) => Promise<LeaseList>
  save: (text: string, format: 'csv' | 'json') => void
  show: (progress: Progress) => void
  signal: AbortSignal
}

/** Reads the list and hands it over: text to the clipboard, files to the browser's downloads. */
export async function exportList(
  format: ExportFormat,
  { page, save, show, signal }: ExportParts,
): Promise<void> {
  // Before thousands of SERIAL reads are made for nothing.
  const problem = format === 'text' ? noClipboard() : null
  if (problem !== null) return show({ at: 'not-copied', problem, list: null })
  show({ at: 'reading', read: 0 })
  try {
    const { leases, isWhole } = await readPages(page, (read) => show({ at: 'reading', read }))
    const list = { text: exported(leases, format), leases: leases.length, isWhole }
    if (format === 'text') return await copyList(list, show)
    save(list.text, format)
    show({ at: 'done', format, leases: list.leases, isWhole })
  } catch (error) {
    if (!signal.aborted) show({ at: 'failed', error })
  }
}

/** A browser may refuse when the press of the button is long ago: the text is kept for the next press. */
export async function copyList(list: ReadList, show: ExportParts['show']): Promise<void> {
  const problem = await copyText(list.text)
  if (problem !== null) return show({ at: 'not-copied', problem, list })
  show({ at: 'done', format: 'text', leases: list.leases, isWhole: list.isWhole })
}
