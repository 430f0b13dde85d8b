/** The states of a lane, and their words: the one map of them. */

type LaneTone = 'leads' | 'waiting' | 'risk' | 'wrong'

export const laneStates = {
  waits: { word: 'waits', tone: 'waiting' },
  believes: { word: 'believes to lead', tone: 'leads' },
  leads: { word: 'leads', tone: 'leads' },
  'leads-unaware': { word: 'leads, does not know it', tone: 'risk' },
  'gave-up': { word: 'gave up, its lease runs on', tone: 'risk' },
  'still-believes': { word: 'still believes', tone: 'wrong' },
  'paused-waits': { word: 'paused', tone: 'risk' },
  'paused-leads': { word: 'paused, leads', tone: 'risk' },
  'paused-believes': { word: 'paused, still believes', tone: 'wrong' },
  'cut-waits': { word: 'network cut', tone: 'risk' },
  'cut-leads': { word: 'network cut, leads', tone: 'risk' },
  'cut-believes': { word: 'network cut, still believes', tone: 'wrong' },
  'crashed-leads': { word: 'crashed, its lease runs on', tone: 'risk' },
  crashed: { word: 'crashed', tone: 'waiting' },
  left: { word: 'left', tone: 'waiting' },
} as const satisfies Record<string, { word: string; tone: LaneTone }>

export type LaneState = keyof typeof laneStates
