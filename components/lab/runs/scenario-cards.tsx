'use client'

import { type LabScenario, labScenarios } from '../../../lib/contract/lab/lab-bounds.ts'
import type { NewLabRun } from '../../../lib/contract/lab/run.ts'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { scenarioWords } from '../scenario-words.ts'

/** Of the button that starts it. */
export const startId = (scenario: LabScenario) => `start-${scenario}`

interface ScenarioCardsProps {
  /** Why none may be started; null: one may. */
  lock: string | null
  isStarting: boolean
  onStart: (run: NewLabRun) => void
}

/** Without a TTL: the server knows which its Cassandra can keep alive. */
const playground: NewLabRun = { candidates: 3 }

/** One click each. */
export function ScenarioCards({ lock: given, isStarting, onStart }: ScenarioCardsProps) {
  const lock = given ?? (isStarting ? 'a run is being started' : null)
  return (
    <section aria-label="Scenarios">
      <h2>Start a run</h2>
      <ul className="scenario-cards">
        {labScenarios.map((scenario) => (
          <Card key={scenario} scenario={scenario} lock={lock} onStart={onStart} />
        ))}
        <li>
          <h3>Playground</h3>
          <p className="mut">Three candidates, no story. You decide what happens.</p>
          <LockedButton
            className="btn"
            icon="play"
            lock={lock}
            aria-label="Start: Playground"
            onClick={() => onStart(playground)}
          >
            Start
          </LockedButton>
        </li>
      </ul>
    </section>
  )
}

interface CardProps extends Pick<ScenarioCardsProps, 'lock' | 'onStart'> {
  scenario: LabScenario
}

function Card({ scenario, lock, onStart }: CardProps) {
  const { title, lead } = scenarioWords[scenario]
  return (
    <li>
      <h3>{title}</h3>
      <p className="mut">{lead}</p>
      <LockedButton
        id={startId(scenario)}
        className={scenario === 'crash' ? 'btn primary' : 'btn'}
        icon="play"
        lock={lock}
        aria-label={`Start: ${title}`}
        onClick={() => onStart({ scenario })}
      >
        Start
      </LockedButton>
    </li>
  )
}
