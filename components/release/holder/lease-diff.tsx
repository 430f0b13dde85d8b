'use client'

import type { ReactNode } from 'react'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { OwnerText } from './owner-text.tsx'

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

interface LeaseDiffProps {
  planned: Lease
  /** What `planned` is called, where it was no plan. */
  head?: string
  /** null: the lease is free. */
  current: Lease | null
  /** When that was read; an age that goes on counting, where it is watched. */
  readAt: ReactNode
}

/** The lease as planned and as it is, side by side, with what changed marked. */
export function LeaseDiff({ planned, head: before = 'When planned', current, readAt }: LeaseDiffProps) {
  return (
    <table className="diff mt-3">
      <thead>
        <tr>
          <td />
          <th scope="col">
            {before}
            <br />
            <span className="dim">
              read <Instant at={planned.read.at} digits={1} />
            </span>
          </th>
          <th scope="col">
            Now
            <br />
            <span className="dim">
              {typeof readAt === 'string' ? (
                <>
                  read <Instant at={readAt} digits={1} />, {current?.read.level ?? 'SERIAL'}
                </>
              ) : (
                readAt
              )}
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, show, compare, mono]) => {
          // A lease that is free has nothing: that differs from something, and not from nothing.
          const same = compare(planned) === (current === null ? null : compare(current))
          return (
            <tr key={head}>
              <th scope="row">{head}</th>
              <td className={mono ? 'mono' : undefined}>
                <bdi className="seen cap">{show(planned)}</bdi>
              </td>
              <td className={`${mono ? 'mono ' : ''}${same ? 'same' : 'new'}`}>
                <bdi className="seen">{current ? show(current) : head === 'Owner' ? 'none: free' : '–'}</bdi>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
