import { boundText } from '../../../lib/client/time/time-text.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import type { ModeOffer, ReleaseMode } from '../../../lib/contract/releases/release.ts'
import type { IconName } from '../../ui/control/icon.tsx'

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

/** The answer to a renewal over plain REST has no requests. */
export const whoReadsAsk = `Leasehold’s library, also through the API, and the command read the request with each renewal. A program over plain REST has to ask GET ${endpoints.getResignRequests.path}.`

/** The modes of a forced release: their words, icons and hues, here and nowhere else. */
export const modeLooks: Record<ReleaseMode, ModeLook> = {
  ask: {
    word: 'Ask',
    icon: 'ask',
    hue: 'ok',
    button: 'primary',
    does: `The holder is asked to resign. ${whoReadsAsk}`,
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
    does: 'Takes the lease from the holder. No program can acquire it until the old holder’s time is over',
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
    does: 'Deletes the row at once. The holder gets no notice.',
    act: 'Kill the lease',
    request: 'Request a kill',
    noun: 'Kill',
    did: 'killed it',
  },
}

/** What a mode does here: a break says for how long. */
export function doesText(mode: ReleaseMode, { quarantineMs }: Pick<ModeOffer, 'quarantineMs'>): string {
  const { does } = modeLooks[mode]
  if (mode !== 'break') return does
  return quarantineMs === null ? `${does}.` : `${does}, in at most ${boundText(quarantineMs)}.`
}

export const releaseModeList = Object.keys(modeLooks) as ReleaseMode[]
