/**
 * What became of a release, in one line that says everything in a screenshot: the act, the lease, the outcome. The same in
 * the dialog, on the permalink's page and in the browser's title.
 */
import type { Release, ReleaseMode } from '../../../lib/contract/releases/release.ts'
import type { AskEnd, AskStage } from './ask-stage.ts'
import type { Progress } from './progress.ts'

export interface Headline {
  /** "Broken" */
  act: string
  /** "now held by", where an owner follows; "safe in", where a time follows. */
  outcome: string
  owner?: string | null | undefined
  /** Epoch milliseconds: the time until then follows. */
  untilMs?: number | undefined
}

/** What every outcome is drawn from. */
export interface OutcomeProps {
  release: Release
  headline: Headline
}

const done: Record<ReleaseMode, string> = { ask: 'Asked to resign', break: 'Broken', kill: 'Killed' }
const verb: Record<ReleaseMode, string> = { ask: 'ask', break: 'break', kill: 'kill' }
const noun: Record<ReleaseMode, string> = { ask: 'Ask', break: 'Break', kill: 'Kill' }

export function headlineOf(release: Release, progress: Progress): Headline {
  const mode = release.mode ?? 'ask'
  const not = `Not ${done[mode].toLowerCase()}`
  switch (release.outcome) {
    case 'planned':
      return { act: 'Plan', outcome: release.planExpiresAt > release.now ? 'not carried out' : 'expired' }
    case 'awaiting-approval':
      return { act: `${noun[mode]} requested`, outcome: 'waiting for approval' }
    case 'rejected':
      return { act: `${noun[mode]} rejected`, outcome: 'nothing was released' }
    case 'lapsed':
      return { act: `${noun[mode]} not approved in time`, outcome: 'nothing was released' }
    case 'pending':
      return { act: `Trying to ${verb[mode]}`, outcome: 'the outcome is not certain yet' }
    case 'asked':
      return askedHeadline(progress)
    case 'broken':
      return brokenHeadline(progress)
    case 'released':
      return { act: 'Killed', ...heldAfter(progress) }
    case 'holder-changed':
      return {
        act: not,
        outcome:
          release.current === null && release.currentReadAt !== null
            ? 'it was free already'
            : 'the holder had changed',
      }
    case 'not-released':
      return { act: not, outcome: 'the holder still holds it' }
    case 'not-sent':
      return { act: not, outcome: 'nothing was sent' }
    case 'superseded':
      return { act: `${noun[mode]} unclear`, outcome: 'the planned holder lost it' }
    case 'unknown':
      return { act: `${noun[mode]} unclear`, outcome: 'whether it took effect is not known' }
  }
}

function heldAfter(progress: Progress): Omit<Headline, 'act'> {
  if (progress.of !== 'released' || progress.known === 'unread') return { outcome: 'not read again yet' }
  const { known, owner, isStale } = progress
  if (known === 'now') return owner === null ? { outcome: freeWords(isStale) } : heldBy(owner, isStale)
  return owner === null ? { outcome: 'then free' } : { outcome: 'then held by', owner }
}

const freeWords = (isStale: boolean): string => (isStale ? 'last seen free' : 'free')

const heldBy = (owner: string | null, isStale: boolean): Omit<Headline, 'act'> => ({
  outcome: isStale ? 'last seen held by' : 'now held by',
  owner,
})

const endWords: Record<AskEnd['how'], string> = {
  released: 'released early',
  killed: 'then killed',
  broken: 'then broken',
  expired: 'expired',
  unseen: 'the holder no longer holds it',
}

function askedHeadline(progress: Progress): Headline {
  if (progress.of !== 'asked') return { act: 'Asked to resign', outcome: 'not read again yet' }
  const { stage, isStale } = progress
  switch (stage.at) {
    case 'unread':
      return { act: 'Asked to resign', outcome: 'not read again yet' }
    case 'gone':
      return { act: 'Asked to resign', outcome: endWords.unseen }
    case 'waiting':
      return { act: 'Asked to resign', outcome: 'no answer yet' }
    case 'silent':
      return { act: 'Asked to resign', outcome: 'the holder has not answered' }
    case 'free':
      return { act: 'Asked to resign', outcome: endWords[stage.end.how] }
    case 'broken':
      return { act: 'Asked to resign', outcome: 'then broken' }
    case 'taken':
      return { act: 'Asked to resign', ...heldBy(stage.lease.owner, isStale) }
  }
}

function brokenHeadline(progress: Progress): Headline {
  if (progress.of !== 'broken') return { act: 'Broken', outcome: 'quarantined' }
  const { stage, safeAtMs, isStale } = progress
  switch (stage.at) {
    case 'quarantined':
      return safeAtMs === null
        ? { act: 'Broken', outcome: 'quarantined' }
        : { act: 'Broken', outcome: 'safe in', untilMs: safeAtMs }
    case 'verifying':
      return { act: 'Broken', outcome: 'verifying' }
    case 'free':
      return { act: 'Broken', outcome: freeWords(isStale) }
    case 'taken':
      return { act: 'Broken', ...heldBy(stage.lease.owner, isStale) }
  }
}

/** What the page goes on watching for, while it is not known what became of a request. */
export const goesOn = {
  unread: 'Reading the lease',
  waiting: 'Waiting for the holder',
  silent: 'Still watching the lease',
  gone: 'Reading how it ended',
} satisfies Partial<Record<AskStage['at'], string>>

/** Whether nothing more is expected of it: to close it misses nothing. */
export function isEnded({ outcome }: Pick<Release, 'outcome'>, progress: Progress): boolean {
  if (progress.of === 'asked') return !(progress.stage.at in goesOn)
  if (progress.of === 'broken') return !['quarantined', 'verifying'].includes(progress.stage.at)
  return !['pending', 'awaiting-approval', 'asked', 'broken', 'unknown'].includes(outcome)
}
