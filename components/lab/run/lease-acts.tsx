'use client'

import type { LanesPicture } from '../../../lib/client/lab/lanes/lanes.ts'
import { labBounds } from '../../../lib/contract/lab/lab-bounds.ts'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import type { RunActs } from './use-run-acts.ts'

const releases = [
  {
    mode: 'ask',
    icon: 'ask',
    text: 'Ask',
    why: 'Writes a request that the leader reads beside a renewal. It resigns by itself: no overlap.',
  },
  {
    mode: 'break',
    icon: 'break',
    text: 'Break',
    why: 'Puts a mark in the owner’s place for its full TTL. No overlap, but the name is not free until then.',
  },
  {
    mode: 'kill',
    icon: 'kill',
    text: 'Kill',
    why: 'Deletes the row at once. The old leader may go on until its next renewal or its deadline.',
  },
] as const

interface LeaseActsProps {
  picture: LanesPicture
  isBakery: boolean
  acts: RunActs
}

/** What one can do to the lease itself, and who joins. At once: that is allowed in the lab only. */
export function LeaseActs({ picture, isBakery, acts }: LeaseActsProps) {
  const present = picture.lanes.filter(({ state }) => state !== 'left' && !state.startsWith('crashed'))
  const full = present.length >= labBounds.candidates.max ? `${labBounds.candidates.max} are the most` : null
  const free = picture.leader === null ? 'the lease has no holder now' : null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a layout of its own that a strip cannot hold
    <div className="lease-acts" role="group" aria-label={isBakery ? 'Act on the bakery' : 'Act on the lease'}>
      <LockedButton
        className="btn sm"
        icon="plus"
        aria-keyshortcuts="j"
        lock={acts.lock ?? full}
        data-tip={isBakery ? 'A new customer comes in.' : 'A new candidate campaigns.'}
        onClick={() => acts.act({ act: 'join' })}
      >
        {isBakery ? 'A customer comes' : 'Join one'}
      </LockedButton>
      {!isBakery &&
        releases.map(({ mode, icon, text, why }) => (
          <LockedButton
            key={mode}
            className="btn sm"
            icon={icon}
            lock={acts.lock ?? free}
            data-tip={why}
            aria-description={why}
            onClick={() => acts.act({ act: 'release', mode })}
          >
            {text}
            {mode === 'ask' ? ' to resign' : ' the lease'}
          </LockedButton>
        ))}
    </div>
  )
}
