/** A run as a file: its header, its journal, and what the checker said of it. */
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import type { LabRun, LabVerdict } from '../../../contract/lab/run.ts'

/** The first line of the file says what it is; `version` grows when the shape changes. */
const format = { format: 'leasehold-lab-run', version: 1 } as const

export interface RunDownload {
  readonly run: LabRun
  readonly verdict: LabVerdict
  readonly entries: readonly JournalEntry[]
}

/** JSON with an entry a line, so that two files can be compared. */
export function runJson({ run, verdict, entries }: RunDownload): string {
  const head = JSON.stringify({ ...format, run, verdict }, null, 2).replace(/\n}$/, '')
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n')
  return `${head},\n  "entries": [${lines === '' ? '' : `\n${lines}\n  `}]\n}\n`
}

export const downloadName = ({ run }: LabRun, ending: 'json' | 'svg'): string =>
  `leasehold-lab-${run}.${ending}`
