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
    does: 'The holder is asked to resign. A holder that uses the library reads this when it renews.',
    act: 'Ask to resign',
    request: 'Request an ask',
    noun: 'Ask',
    did: 'asked the holder to resign',
  },
  break: {
    word: 'Break',
    icon: 'break',
    hue: 'hold-c',
    button: 'hold',
    does: 'The lease cannot be acquired until the holder must have stopped.',
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
    does: 'The row is deleted now. The holder does not know yet.',
    act: 'Kill the lease',
    request: 'Request a kill',
    noun: 'Kill',
    did: 'killed it',
  },
}

export const releaseModeList = Object.keys(modeLooks) as ReleaseMode[]
