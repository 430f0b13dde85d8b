import { Children, isValidElement, type ReactNode } from 'react'
import { expect, it } from 'vitest'
import type { NewLabRun } from '../../../lib/contract/lab/run.ts'
import { ScenarioCards } from './scenario-cards.tsx'

function press(label: string, node: ReactNode): void {
  for (const child of Children.toArray(node)) {
    if (!isValidElement<{ 'aria-label'?: string; onClick?: () => void; children?: ReactNode }>(child))
      continue
    if (child.props['aria-label'] === label) child.props.onClick?.()
    press(label, child.props.children)
  }
}

it('the playground names no TTL: under Paxos v1 the server refuses those that v2 keeps alive', () => {
  const asked: NewLabRun[] = []
  press(
    'Start: Playground',
    ScenarioCards({ lock: null, isStarting: false, onStart: (run) => asked.push(run) }),
  )
  expect(asked).toEqual([{ candidates: 3 }])
})
