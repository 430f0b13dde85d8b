import type { ShownState } from '../../../lib/client/row/row-board.ts'
import { flapping } from '../../../lib/contract/leases/lease-state.ts'
import { Icon, type IconName } from '../../ui/control/icon.tsx'

interface StateLook {
  word: string
  icon: IconName
  means: string
}

/** The states: word, icon, explanation. Their hues stand under the same names in app/styles/leases/states.css, and nowhere else. */
export const leaseStates = {
  held: { word: 'held', icon: 'held', means: 'Its holder has time left.' },
  risk: {
    word: 'at risk',
    icon: 'risk',
    means: 'A renewal is missing: less than a third of its time is left.',
  },
  verifying: {
    word: 'verifying',
    icon: 'verifying',
    means: 'Its time is up. A SERIAL read is checking whether the row is gone.',
  },
  gone: { word: 'gone', icon: 'gone', means: 'A SERIAL read found it free.' },
  quarantined: {
    word: 'quarantined',
    icon: 'quarantined',
    means: 'Broken by force. It cannot be acquired until the old holder must have stopped.',
  },
  zombie: {
    word: 'zombie',
    icon: 'zombie',
    means: 'The owner expired, the value did not: INSERT … IF NOT EXISTS cannot acquire it.',
  },
  partial: { word: 'partial', icon: 'partial', means: 'The value expires before the owner.' },
  eternal: { word: 'eternal', icon: 'eternal', means: 'It has no TTL: only a release frees it.' },
  flapping: {
    word: 'flapping',
    icon: 'flapping',
    means: `It changed hands ${flapping.handOvers} times or more in the last five minutes.`,
  },
} satisfies Record<ShownState, StateLook>

/** What may be wrong with the cluster, where its leases are looked at. */
const clusterStates = {
  'clocks-apart': {
    word: 'clocks apart',
    icon: 'clock',
    means: 'The nodes’ clocks differ by more than deadlines allow for: a lease may be granted too early.',
  },
} satisfies Record<string, StateLook>

/** Icon and word, always both. */
export function StateWord({ state }: { state: ShownState | keyof typeof clusterStates }) {
  const { word, icon, means }: StateLook = { ...leaseStates, ...clusterStates }[state]
  return (
    <>
      <Icon name={icon} />
      <span title={means}>{word}</span>
    </>
  )
}
