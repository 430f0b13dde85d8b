import type { LaneState } from '../../../lib/client/lab/lanes/lane-words.ts'
import type { IconName } from '../../ui/control/icon.tsx'

/** Beside the words of a lane’s state. */
export const laneIcons: Record<LaneState, IconName> = {
  waits: 'gone',
  believes: 'gone',
  leads: 'held',
  'leads-unaware': 'held',
  'gave-up': 'held',
  'still-believes': 'risk',
  'paused-waits': 'pause',
  'paused-leads': 'pause',
  'paused-believes': 'pause',
  'cut-waits': 'cut',
  'cut-leads': 'cut',
  'cut-believes': 'cut',
  'crashed-leads': 'crash',
  crashed: 'crash',
  left: 'leave',
}

export const laneTitle = (id: string): string => (id === 'plain' ? 'Plain client' : `Candidate ${id}`)
