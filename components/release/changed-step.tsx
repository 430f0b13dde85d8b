'use client'

import type { ReactNode } from 'react'
import type { Lease } from '../../lib/contract/lease.ts'
import type { Problem } from '../../lib/contract/problem.ts'
import { Instant } from '../shell/instant.tsx'
import { useLockReason } from '../shell/use-connection.ts'
import { DialogLead, DialogTitle } from '../ui/dialog.tsx'
import { LockedButton } from '../ui/locked-button.tsx'
import { Say } from '../ui/say.tsx'
import { SeenText } from '../ui/seen-text.tsx'
import { OwnerText } from './owner-text.tsx'

interface ChangedStepProps {
  problem: Problem
  onPlanAgain: () => void
  onClose: () => void
}

/** Refused, because the holder is not the planned one any more: old and new side by side. */
export function ChangedStep({ problem, onPlanAgain, onClose }: ChangedStepProps) {
  const lock = useLockReason()
  const { planned, current } = problem
  return (
    <div className="body first-step">
      <DialogTitle>Nothing was released</DialogTitle>
      <DialogLead>
        {current === null
          ? 'Nobody holds it now: it expired, was given back, or was released by somebody else. Nothing was deleted by this.'
          : current === undefined
            ? problem.detail
            : 'The holder changed after you looked. The lease is held by somebody else now, and was left alone.'}
      </DialogLead>
      {current === undefined && (
        <div className="mt-4">
          <Say title="What is there now could not be read.">Look at the lease before you plan again.</Say>
        </div>
      )}
      {planned && current !== undefined && <Diff planned={planned} current={current} />}
      {current && (
        <div className="mt-4">
          <Say title="The old holder does not hold it any more.">
            If you still want to release the <b>new</b> one, make a new plan for it.
          </Say>
        </div>
      )}
      <div className="acts mt-4 pb-4">
        {current !== null && (
          <LockedButton className="btn push" lock={lock} onClick={onPlanAgain}>
            Plan again for the new holder
          </LockedButton>
        )}
        <button
          type="button"
          className={current === null ? 'btn primary push' : 'btn primary'}
          onClick={onClose}
        >
          {current === null ? 'Done' : 'Leave it alone'}
        </button>
      </div>
    </div>
  )
}

const rows: readonly [string, (lease: Lease) => ReactNode, (lease: Lease) => unknown, boolean][] = [
  ['Owner', (lease) => <OwnerText owner={lease.owner} />, (lease) => lease.owner, false],
  ['Version', (lease) => lease.version ?? '–', (lease) => lease.version, true],
  [
    'Written',
    (lease) => (lease.writtenAt ? <Instant at={lease.writtenAt} digits={3} /> : '–'),
    (lease) => lease.writtenAt,
    true,
  ],
  [
    'Value',
    (lease) => (lease.value === null ? '–' : <SeenText text={lease.value} lines />),
    (lease) => lease.value,
    true,
  ],
  [
    'TTL',
    (lease) => (lease.ttlSeconds === null ? 'none' : `${lease.ttlSeconds} s`),
    (lease) => lease.ttlSeconds,
    false,
  ],
]

function Diff({ planned, current }: { planned: Lease; current: Lease | null }) {
  return (
    <table className="diff mt-3">
      <thead>
        <tr>
          <td />
          <th scope="col">
            What you planned for
            <br />
            <span className="dim">
              read <Instant at={planned.read.at} digits={1} />
            </span>
          </th>
          <th scope="col">
            What is there now
            <br />
            <span className="dim">
              {current ? (
                <>
                  read <Instant at={current.read.at} digits={1} />, {current.read.level}
                </>
              ) : (
                'read at SERIAL'
              )}
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, show, compare, mono]) => {
          // Where nobody holds it there is nothing: it differs from something, and not from nothing.
          const same = compare(planned) === (current === null ? null : compare(current))
          return (
            <tr key={head}>
              <th scope="row">{head}</th>
              <td className={mono ? 'mono' : undefined}>
                <bdi className="seen cap">{show(planned)}</bdi>
              </td>
              <td className={`${mono ? 'mono ' : ''}${same ? 'same' : 'new'}`}>
                <bdi className="seen">{current ? show(current) : head === 'Owner' ? 'nobody' : '–'}</bdi>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
