'use client'

import type { ReactNode } from 'react'
import { durationText } from '../../lib/client/time/time-text.ts'
import type { LiveRow } from '../../lib/client/watch/live-board.ts'
import { flapping } from '../../lib/contract/leases/lease-state.ts'
import { quarantineOf } from '../../lib/contract/leases/quarantine.ts'
import { startOf } from '../../lib/contract/text-size.ts'
import { Since } from '../leases/row/held-for.tsx'
import { Countdown } from '../leases/row/time-left.tsx'
import { Instant } from '../shell/time/instant.tsx'
import { SeenText } from '../ui/text/seen-text.tsx'

/** What a row of this page says of a lease: what is wrong, how long, what to do. */
interface Trouble {
  wrong: ReactNode
  howLong: ReactNode
  toDo: ReactNode
}

const nothingToDo = <span className="dim">Nothing. It ends by itself.</span>
const insert = <span className="mono">INSERT … IF NOT EXISTS</span>

/** `isStill`: nothing is read now, so that no time may run. */
export function troubleOf(row: LiveRow, isStill: boolean): Trouble {
  const { lease, clock, state } = row
  const owner = (
    <bdi className="seen mono wrap-anywhere">
      <SeenText text={startOf(lease.owner ?? '', 200)} />
    </bdi>
  )
  const until = (endsAtMs: number | null, before: string, after = '') =>
    endsAtMs === null ? null : isStill ? (
      `${before}${durationText(endsAtMs - clock.readAtMs)}${after} then`
    ) : (
      <>
        {before}
        <Countdown endsAtMs={endsAtMs} calm />
        {after}
      </>
    )
  switch (state) {
    case 'zombie':
      return {
        wrong: <>The owner expired, the value did not. Clients that use {insert} cannot acquire it.</>,
        howLong: until(clock.endsAtMs, 'value expires in ') ?? 'until it is repaired',
        toDo: `Acquire and release it once with Leasehold: its page says how.${clock.endsAtMs === null ? '' : ' Or wait until the value expires.'}`,
      }
    case 'risk':
      return {
        wrong: 'A renewal is missing, and less than a third of the lease’s time is left.',
        howLong: until(clock.endsAtMs, '', ' left'),
        toDo: <>Look at the host of {owner}.</>,
      }
    case 'flapping':
      return {
        wrong: <>{timesText(lease.handOvers)} in the last five minutes, as far as this instance saw.</>,
        howLong: <ForHowLong instant={lease.heldSince ?? null} still={isStill ? row : null} />,
        toDo: <>Look at why its holders give it up: the host of {owner} holds it now. Short locks do this.</>,
      }
    case 'partial':
      return {
        wrong: 'The value expires before the owner: a renewal seems to set the owner alone.',
        howLong: until(clock.valueEndsAtMs, 'value expires in '),
        toDo: <>Set every column in the renewal of {owner}.</>,
      }
    case 'eternal':
      return {
        wrong: <>It has no TTL. If {owner} dies, only a release frees it.</>,
        howLong: <ForHowLong instant={lease.heldSince ?? lease.writtenAt} still={isStill ? row : null} />,
        toDo: 'Stop its client, then kill the lease. Make the client write with a TTL.',
      }
    case 'quarantined':
      return {
        wrong: <Broken row={row} />,
        howLong: until(clock.endsAtMs, 'safe in '),
        toDo: nothingToDo,
      }
    case 'verifying':
      return {
        wrong: 'Its time is up. A SERIAL read is checking whether the row is gone.',
        howLong: null,
        toDo: nothingToDo,
      }
    case 'gone':
      return { wrong: 'A SERIAL read found it free.', howLong: null, toDo: nothingToDo }
    case 'held':
      return { wrong: 'It was renewed.', howLong: null, toDo: nothingToDo }
  }
}

const timesText = (handOvers: number = flapping.handOvers) => `It changed hands ${handOvers} times`

function Broken({ row: { lease } }: { row: LiveRow }) {
  const note = quarantineOf(lease.owner, lease.value)?.note
  if (!note) return 'Broken. The lease cannot be acquired until the old holder’s deadline is past.'
  return (
    <>
      Broken by {note.by} at <Instant at={note.at} />. The lease cannot be acquired until the old holder’s
      deadline is past.
    </>
  )
}

/** For how long. `still`: nothing is read now, so that it stands as of this row's last read. */
function ForHowLong({ instant, still }: { instant: string | null; still: LiveRow | null }) {
  if (instant === null) return null
  return (
    <>
      for <Since atMs={Date.parse(instant)} untilMs={still?.reading.atMs ?? null} />
    </>
  )
}
