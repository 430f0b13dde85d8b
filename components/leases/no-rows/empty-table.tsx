'use client'

import { Icon } from '../../ui/control/icon.tsx'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { NameText } from '../../ui/text/name-text.tsx'
import { TableSwitch } from '../address/table-switch.tsx'
import { useTable } from '../address/use-table.ts'
import type { UrlPatch } from '../address/use-url-state.ts'
import { StateWord } from '../row/lease-state-map.tsx'
import { DemoElection } from './demo-election.tsx'
import { MakeFirstLease, Snippets } from './first-lease.tsx'
import { snippetName } from './snippets.ts'
import { Appears, type UntilWhen, untilWhen } from './until-when.tsx'

interface EmptyTableProps extends UntilWhen {
  table: string | undefined
  lock: string | null
  change: (patch: UrlPatch) => void
}

/** No lease yet: what to do first, and how to read the list. */
export function EmptyTable({ table, lock, paused, scan, change }: EmptyTableProps) {
  const when = untilWhen({ paused, scan })
  const { facts, tables } = useTable(table)
  const counts = facts?.hasOwner !== false
  return (
    <div className="first">
      {tables.length > 1 && (
        <div className="head mb-3">
          <TableSwitch table={table} change={change} />
        </div>
      )}
      <h1 className="lede">No leases {when ?? 'yet'}.</h1>
      <p>
        Cassandra is up, and <code>{facts ? `${facts.keyspace}.${facts.table}` : (table ?? 'leases')}</code>{' '}
        {when === null ? 'has' : 'had'} no lease
        {!facts?.readOnly && (
          <>
            {' '}
            but the console’s own (<code>leasehold/…</code>), which are not listed
          </>
        )}
        . {facts?.readOnly && 'It is read-only here: the console makes no lease in it. '}
        <Appears paused={paused} scan={scan}>
          {facts?.readOnly
            ? 'A lease that is acquired elsewhere appears within 2 seconds.'
            : 'See an election first, or make a lease of your own: it appears here within 2 seconds.'}
        </Appears>
      </p>
      <div className="ways">
        <DemoElection />
        <div>
          <h2>{counts ? 'See one count down' : 'See one come and go'}</h2>
          <p className="mut">
            The console acquires <code>demo/first-lease</code> and never renews it.{' '}
            {counts
              ? 'You see its time run out, and what the console says at zero.'
              : 'You see it appear and disappear. This table has no owner column, so its time left cannot be read.'}
          </p>
          <MakeFirstLease lock={lock} table={table} />
          <p className="mut">
            Or choose its name{facts?.hasValue === false ? ' and its time' : ', its time and its value'}.
          </p>
          <LockedButton className="btn" icon="plus" lock={lock} onClick={() => change({ new: '1' })}>
            New lease
          </LockedButton>
        </div>
        <div>
          <h2>Make the first lease</h2>
          <Snippets table={table} />
        </div>
      </div>
      <Anatomy />
    </div>
  )
}

/** A row that stands for all rows, with its parts numbered. */
function Anatomy() {
  return (
    <section className="anat" aria-label="What a row will say">
      <div className="rows" aria-hidden="true">
        {/* biome-ignore lint/a11y: a picture of a row, hidden from assistive technology; the list below says it all */}
        <div role="row" data-state="held">
          <span data-k="1" className="c-name nm cut">
            <NameText name={snippetName} />
          </span>
          <span className="c-owner ow cut">ip-10-0-3-17:4122:k3f9</span>
          <span className="c-state state">
            <StateWord state="held" />
          </span>
          <span data-k="2" className="c-time time">
            <span className="bar">
              <i />
            </span>
            <span data-k="3" className="left">
              00:26.3
            </span>
          </span>
          <span data-k="4" className="c-read">
            <span className="read confirmed">
              <Icon name="confirmed" />
              confirmed 0.6 s ago
            </span>
          </span>
        </div>
      </div>
      <ol>
        <li>
          <b data-k="1">Name and owner</b>as Cassandra has them, letter for letter.
        </li>
        <li>
          <b data-k="2">The lease bar</b>drains until the holder renews, at the tick. Below a third a renewal
          was missed.
        </li>
        <li>
          <b data-k="3">The clock</b>never says “gone” at zero. It says verifying, until a read has confirmed
          it.
        </li>
        <li>
          <b data-k="4">The diamond</b>solid: confirmed, read at SERIAL. Outline: not confirmed, a scan saw
          it. Hatched: not known now, the last read is too old.
        </li>
      </ol>
    </section>
  )
}
