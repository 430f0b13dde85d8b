'use client'

import { useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/client/call/call.ts'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import { countText } from '../../../lib/client/time/time-text.ts'
import { type ExportFormat, exportMax, exportQuery } from '../../../lib/client/view/lease-export.ts'
import type { LeaseView } from '../../../lib/client/view/lease-view.ts'
import { Dialog, DialogHead } from '../../ui/control/dialog.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { Say } from '../../ui/text/say.tsx'
import { copyList, exportList, type Progress } from './list-export.ts'

const formats: readonly { format: ExportFormat; text: string }[] = [
  { format: 'text', text: 'Copy' },
  { format: 'csv', text: 'Download CSV' },
  { format: 'json', text: 'Download JSON' },
]

interface ExportDialogProps {
  view: LeaseView
  matching: number | null
  onClose: () => void
}

const leasesText = (count: number) => `${countText(count)} ${count === 1 ? 'lease' : 'leases'}`

/** What the list shows, as text to paste or as a file. */
export function ExportDialog({ view, matching, onClose }: ExportDialogProps) {
  const [progress, setProgress] = useState<Progress>({ at: 'choice' })
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])

  const run = (format: ExportFormat) => {
    if (format === 'text' && progress.at === 'not-copied' && progress.list !== null)
      return copyList(progress.list, setProgress)
    const running = new AbortController()
    stop.current?.abort()
    stop.current = running
    const { signal } = running
    const page = async (cursor: string | undefined) =>
      (await call('listLeases', { query: { ...exportQuery(view), cursor }, signal })).data
    return exportList(format, { page, save, show: setProgress, signal })
  }
  const count = matching === null ? 'The leases' : leasesText(matching)
  return (
    <Dialog open onClose={onClose} narrow>
      <DialogHead
        title="Export the list"
        lead={`${count} as filtered, in the order of their names. Each is read at SERIAL first, at most ${countText(exportMax)} at once.`}
      />
      <div className="body">
        <div className="flex flex-wrap gap-2 pb-3">
          {formats.map(({ format, text }) => (
            <button
              key={format}
              type="button"
              className="btn"
              aria-disabled={progress.at === 'reading' || undefined}
              onClick={() => progress.at !== 'reading' && run(format)}
            >
              <Icon name={format === 'text' ? 'copy' : 'get'} />
              {text}
            </button>
          ))}
        </div>
        <div role="status" className="pb-3">
          <ExportProgress progress={progress} matching={matching} />
        </div>
      </div>
    </Dialog>
  )
}

function ExportProgress({ progress, matching }: { progress: Progress; matching: number | null }) {
  switch (progress.at) {
    case 'choice':
      return null
    case 'reading': {
      const of = matching === null ? '' : ` of ${countText(Math.min(matching, exportMax))}`
      return (
        <p className="mut">
          Read {countText(progress.read)}
          {of}…
        </p>
      )
    }
    case 'done': {
      const what = leasesText(progress.leases)
      const title = progress.format === 'text' ? `Copied ${what}.` : `Downloaded ${what}.`
      return (
        <Say tone={progress.isWhole ? 'ok' : 'warn'} icon={progress.isWhole ? 'check' : 'risk'} title={title}>
          {!progress.isWhole && 'The list is longer. Filter it to export the rest.'}
        </Say>
      )
    }
    case 'not-copied':
      return progress.list === null ? (
        <Say tone="danger" icon="risk" title="Nothing was copied.">
          {progress.problem} Download the list instead.
        </Say>
      ) : (
        <Say
          tone="warn"
          icon="risk"
          title={`Read ${leasesText(progress.list.leases)}, but did not copy them.`}
        >
          {progress.problem} Press <i>Copy</i> again: it reads nothing more.
        </Say>
      )
    case 'failed': {
      const { title, detail } = errorWords(progress.error)
      return (
        <Say tone="danger" icon="risk" title={`Nothing was exported. ${title}`}>
          {detail}
        </Say>
      )
    }
  }
}

/** Hands a text to the browser's downloads. */
function save(text: string, format: 'csv' | 'json'): void {
  const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json'
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = `leases.${format}`
  link.click()
  URL.revokeObjectURL(url)
}
