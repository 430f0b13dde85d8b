'use client'

import type { ReactNode } from 'react'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { Icon } from '../../ui/control/icon.tsx'

/** What was done, step by step, as the server tells it. */
export function ReleaseSteps({ release, children }: { release: Release; children?: ReactNode }) {
  return (
    <ol className="steps mt-3" aria-label="What was done">
      {release.steps.map((step) => (
        <li key={`${step.at} ${step.what}`} className="done">
          <Icon name={step.ok ? 'check' : 'cross'} />
          <span className="break-words">
            {step.what}
            {!step.ok && <span className="vh"> (failed)</span>}
          </span>
          <span className="mono small">
            <Instant at={step.at} digits={3} />
          </span>
        </li>
      ))}
      {children}
    </ol>
  )
}
