import type { ShownState } from '../../../lib/client/row/row-board.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'

interface StateLook {
  word: string
  icon: IconName
}

/** The states: word and icon. Their hues stand under the same names in app/styles/states.css, and nowhere else. */
export const leaseStates = {
  held: { word: 'held', icon: 'held' },
  risk: { word: 'at risk', icon: 'risk' },
  verifying: { word: 'verifying', icon: 'verifying' },
  gone: { word: 'gone', icon: 'gone' },
  quarantined: { word: 'quarantined', icon: 'quarantined' },
  zombie: { word: 'zombie', icon: 'zombie' },
  partial: { word: 'partial', icon: 'partial' },
  eternal: { word: 'eternal', icon: 'eternal' },
} satisfies Record<ShownState, StateLook>

/** Icon and word, always both. */
export function StateWord({ state }: { state: ShownState }) {
  const { word, icon } = leaseStates[state]
  return (
    <>
      <Icon name={icon} />
      <span>{word}</span>
    </>
  )
}
