import type { ReleaseMode } from '../../lib/contract/releases/release.ts'
import type { IconName } from '../ui/icon.tsx'

interface ModeLook {
  word: string
  icon: IconName
  /** The hue of its card, and the class of its button. */
  hue: string
  button: string
  /** What the holder and the row have to expect. */
  does: string
  /** What the button says: the act, or the request where a second person has to approve. */
  act: string
  request: string
  /** As a noun, before "of scheduler/leader". */
  noun: string
  /** "operator-2 … it". */
  did: string
}

/** The modes of a forced release: their words, icons and hues, here and nowhere else. */
export const modeLooks: Record<ReleaseMode, ModeLook> = {
  ask: {
    word: 'Ask',
    icon: 'ask',
    hue: 'ok',
    button: 'primary',
    does: 'The holder reads the request at its next renewal and resigns.',
    act: 'Ask to resign',
    request: 'Request to ask',
    noun: 'Ask',
    did: 'asked the holder of it to resign',
  },
  break: {
    word: 'Break',
    icon: 'break',
    hue: 'hold-c',
    button: 'hold',
    does: 'Nobody may acquire it until the holder must have stopped.',
    act: 'Break the lease',
    request: 'Request a break',
    noun: 'Break',
    did: 'broke it',
  },
  kill: {
    word: 'Kill',
    icon: 'kill',
    hue: 'danger-c',
    button: 'danger',
    does: 'The row is deleted now. The holder does not know it yet.',
    act: 'Kill the lease',
    request: 'Request a kill',
    noun: 'Kill',
    did: 'killed it',
  },
}

export const releaseModeList = Object.keys(modeLooks) as ReleaseMode[]
