'use client'

import { type ReactNode, useState } from 'react'
import { type LabScenario, labScenarios } from '../../../lib/contract/lab/lab-bounds.ts'
import { scenarioWords } from '../scenario-words.ts'

interface ScenarioNavProps {
  /** null: a playground. */
  current: LabScenario | null
  /** Why no other one may be started; null: it may. */
  lock: string | null
  onStart: (scenario: LabScenario) => void
  /** The story of the current one. */
  children?: ReactNode
}

/** All scenarios, the current one with its story. Another one is another run. */
export function ScenarioNav({ current, lock, onStart, children }: ScenarioNavProps) {
  const [isOpen, setOpen] = useState(false)
  const at = current === null ? 0 : labScenarios.indexOf(current) + 1
  return (
    <nav className="scen" aria-label="Scenarios" data-open={isOpen || undefined}>
      <button type="button" className="scen-all" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <b>{current === null ? 'Playground' : scenarioWords[current].title}</b>
        <span>
          {at === 0 ? labScenarios.length : `${at} of ${labScenarios.length}`} scenarios {isOpen ? '▴' : '▾'}
        </span>
      </button>
      {current === null && (
        <p className="scen-here" aria-current="true">
          Playground
        </p>
      )}
      {labScenarios.map((scenario) => (
        <div key={scenario}>
          {scenario === current ? (
            <>
              <p className="scen-here" aria-current="true">
                {scenarioWords[scenario].title}
              </p>
              {children}
            </>
          ) : (
            <button
              type="button"
              className="scen-other"
              aria-disabled={lock !== null || undefined}
              title={lock === null ? scenarioWords[scenario].lead : `Locked: ${lock}`}
              onClick={() => lock === null && onStart(scenario)}
            >
              {scenarioWords[scenario].title}
            </button>
          )}
        </div>
      ))}
    </nav>
  )
}
