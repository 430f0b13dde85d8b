'use client'

import { downloadName, type RunDownload, runJson } from '../../../lib/client/lab/lamport/run-download.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { scenarioWords } from '../scenario-words.ts'

/** The proof, to take along. */
export function Downloads({ run, entries, verdict }: RunDownload) {
  const json = () => save(runJson({ run, entries, verdict }), downloadName(run, 'json'), 'application/json')
  const svg = async () => {
    const { LamportDiagram } = await import('../../../lib/client/lab/lamport/lamport-diagram.ts')
    const diagram = new LamportDiagram({ ttlSeconds: run.ttlSeconds })
    diagram.add(entries)
    const what = run.scenario === null ? 'Playground' : scenarioWords[run.scenario].title
    save(diagram.svg(`${what}, run ${run.run}`), downloadName(run, 'svg'), 'image/svg+xml')
  }
  return (
    <p className="downloads">
      <button type="button" className="btn sm" onClick={json}>
        <Icon name="get" />
        Journal as JSON
      </button>
      <button type="button" className="btn sm" onClick={svg}>
        <Icon name="get" />
        Lamport diagram as SVG
      </button>
    </p>
  )
}

function save(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url))
}
