/** What one can do to a candidate: its key, its words, and what is sent. */
import type { Lane } from '../../../lib/client/lab/lanes/lanes.ts'
import type { LabFault } from '../../../lib/contract/lab/journal.ts'
import type { LabAct } from '../../../lib/contract/lab/run.ts'
import type { IconName } from '../../ui/control/icon.tsx'

export interface Control {
  id: string
  /** While its toolbar has the focus. */
  key: string
  icon: IconName
  /** Over its column; on a phone below its icon. */
  word: string
  /** "Crash c2". */
  name: (candidate: string) => string
  /** What follows from it. */
  why: string
  /** It is on now, and the press ends it. */
  isOn: boolean
  act: LabAct
}

const delayMs = 2000
/** Behind by more than any deadline allows for: the candidate believes for so much longer. */
const skewMs = -8000

interface FaultControl extends Pick<Control, 'key' | 'icon' | 'word' | 'why'> {
  fault: LabFault
  onName: string
  offName: string
  offWhy: string
  /** The word while it is on; left out: the same. */
  offWord?: string
  ms?: number
  offIcon?: IconName
}

const faults: readonly FaultControl[] = [
  {
    fault: 'crashed',
    key: 'x',
    icon: 'crash',
    word: 'crash',
    onName: 'Crash',
    why: 'It ends without a release. Its row stays until the expiry.',
    offName: 'Crash',
    offWhy: '',
  },
  {
    fault: 'paused',
    key: 'g',
    icon: 'pause',
    offIcon: 'play',
    word: 'pause',
    onName: 'Pause',
    why: 'Its timers stand still, as in a long garbage collection. It renews nothing and notices nothing.',
    offName: 'Resume',
    offWord: 'resume',
    offWhy: 'Its timers go on. It looks at the clock first.',
  },
  {
    fault: 'cut',
    key: 'n',
    icon: 'cut',
    word: 'cut',
    onName: 'Cut the network of',
    why: 'Nothing that it sends arrives, and no answer reaches it. Its own clock goes on.',
    offName: 'Reconnect',
    offWord: 'reconnect',
    offWhy: 'Its statements arrive again.',
  },
  {
    fault: 'skewed',
    key: 'k',
    icon: 'skew',
    word: 'skew',
    onName: 'Skew the clock of',
    why: 'Its clocks are set back by 8 s, and its deadlines allow for less than 1 s: it believes to lead for longer than it may.',
    offName: 'Set right the clock of',
    offWord: 'set right',
    offWhy: 'Its clocks are right again.',
    ms: skewMs,
  },
]
const moreFaults: readonly FaultControl[] = [
  {
    fault: 'delayed',
    key: 'd',
    icon: 'clock',
    word: 'delay',
    onName: 'Delay the answers of',
    why: 'Each answer reaches it 2 s later. Deadlines count from before the send, so it stays safe.',
    offName: 'Delay no more answers of',
    offWhy: 'Answers reach it at once again.',
    ms: delayMs,
  },
  {
    fault: 'hold-next',
    key: 'h',
    icon: 'hold',
    word: 'hold',
    onName: 'Hold back the next write of',
    why: 'Its next conditional write hangs in the network until you let it go: it is applied late, or refused.',
    offName: 'Let go the write of',
    offWord: 'let go',
    offWhy: 'The write that hangs reaches Cassandra now.',
  },
  {
    fault: 'swallow-next',
    key: 'l',
    icon: 'swallow',
    word: 'lose',
    onName: 'Lose the next answer to',
    why: 'Cassandra carries out its next conditional write, and the answer is lost: an unknown outcome, which it must resolve.',
    offName: 'Lose no answer to',
    offWhy: 'The answer comes after all.',
  },
]

const faultControl = (lane: Lane, row: FaultControl): Control => {
  const isOn = lane.faults.includes(row.fault)
  return {
    id: row.fault,
    key: row.key,
    icon: isOn ? (row.offIcon ?? row.icon) : row.icon,
    word: isOn ? (row.offWord ?? row.word) : row.word,
    name: (candidate) => `${isOn ? row.offName : row.onName} ${candidate}`,
    why: isOn ? row.offWhy : row.why,
    isOn,
    act: {
      act: 'fault',
      candidate: lane.id,
      fault: row.fault,
      on: !isOn,
      ms: isOn ? undefined : row.ms,
    },
  }
}

/** In the order of their columns. */
export function controlsOf(lane: Lane): { first: Control[]; more: Control[] } {
  return {
    first: [
      ...faults.map((row) => faultControl(lane, row)),
      {
        id: 'resign',
        key: 'r',
        icon: 'leave',
        word: 'resign',
        name: (candidate) => `Resign: ${candidate}`,
        why: 'It stops its work, deletes its row if it leads, and campaigns again.',
        isOn: false,
        act: { act: 'resign', candidate: lane.id },
      },
    ],
    more: [
      ...moreFaults.map((row) => faultControl(lane, row)),
      {
        id: 'leave',
        key: 'v',
        icon: 'cross',
        word: 'leave',
        name: (candidate) => `Leave: ${candidate}`,
        why: 'It resigns if it leads, and campaigns no more.',
        isOn: false,
        act: { act: 'leave', candidate: lane.id },
      },
    ],
  }
}

/** Of a customer of the bakery: it sends no conditional write, and there is nothing to resign. */
export function customerControlsOf(lane: Lane): { first: Control[]; more: Control[] } {
  const { first, more } = controlsOf(lane)
  return {
    first: [...first, ...more]
      .filter(({ id }) => customerControls.includes(id))
      .map((control) =>
        control.id === 'leave' ? { ...control, why: 'It goes out, and does not come again.' } : control,
      ),
    more: [],
  }
}

const customerControls = ['crashed', 'paused', 'cut', 'delayed', 'leave']

/** For the list of keys. */
export const controlKeysOf = (
  of: 'candidate' | 'customer',
): readonly (readonly [key: string, text: string])[] => [
  ...[...faults, ...moreFaults]
    .filter(({ fault }) => of === 'candidate' || customerControls.includes(fault))
    .map(({ key, word, why }) => [key, `${word}: ${why}`] as const),
  ...(of === 'candidate' ? [['r', 'resign'] as const] : []),
  ['v', 'leave'],
]
