import type { LabRun } from '../../../lib/contract/lab/run.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { scenarioWords } from '../scenario-words.ts'

interface RunRowsProps {
  title: string
  runs: readonly LabRun[]
}

/** Runs to join, or to look at again. The whole row is the link. */
export function RunRows({ title, runs }: RunRowsProps) {
  if (runs.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className="runs">
        {runs.map((run) => (
          <li key={run.run} data-state={run.state === 'running' ? 'leads' : 'waiting'}>
            <span className="state">
              <Icon name={run.state === 'running' ? 'held' : 'gone'} />
              <span>{run.state === 'running' ? 'running' : 'ended'}</span>
            </span>
            <PageLink href={`/lab/${run.run}`}>
              <b>{run.scenario === null ? 'Playground' : scenarioWords[run.scenario].title}</b>
            </PageLink>
            <span className="mono dim">{run.run}</span>
            <span className="dim">
              {run.startedBy}, <Instant at={run.startedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
