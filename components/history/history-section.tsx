'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { leaseHistoryQuery } from '../../lib/client/call/queries.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { runOfLease } from '../../lib/contract/lab/lab-lease.ts'
import { useUrlState } from '../leases/address/use-url-state.ts'
import { PageLink } from '../shell/page-link.tsx'
import { may } from '../shell/session/may.ts'
import { useSession } from '../shell/session/session-context.tsx'
import { Instant } from '../shell/time/instant.tsx'
import { Say } from '../ui/text/say.tsx'
import { Segments } from '../ui/text/segments.tsx'
import { firstRange, type HistoryRange, historyRanges, rangeOf, rangeOptions } from './history-range.ts'
import { HistoryView } from './history-view.tsx'
import { useReadAfterAct, useSettledHolder } from './use-settled-holder.ts'

/** The page says that it reads only when that takes this long. */
const longMs = 1000

interface HistorySectionProps {
  name: string
  table: string | undefined
  /** Who holds the lease now; null: no owner; undefined: not known. */
  holder: string | null | undefined
  /** A read has confirmed that it is free. */
  isFree: boolean
  /** When the last forced release that the page shows took effect; null: it shows none. */
  actedAt: string | null
  /** Cassandra or the server does not answer. */
  stale: boolean
}

/** What happened to a lease: its terms, its renewals, its events. */
export function HistorySection(lease: HistorySectionProps) {
  const run = lease.table === undefined ? runOfLease(lease.name) : null
  return run === null ? <Recorded {...lease} /> : <OfLab run={run} />
}

function Recorded({ name, table, holder, isFree, actedAt, stale }: HistorySectionProps) {
  const { params, change } = useUrlState()
  const session = useSession()
  const range = rangeOf(params.get('history'))
  const query = useQuery(leaseHistoryQuery(name, table, historyRanges[range]))
  const { data, refetch } = query
  useReadAfterAct(actedAt, data?.now, refetch)
  const isStale = stale || query.isError
  const settled = useSettledHolder(holder, data?.now)
  return (
    <section className="sect history" aria-label="History" data-stale={isStale || undefined}>
      <div className="head">
        <h2>History</h2>
        <Legend
          isBroken={data?.events.some(({ kind }) => kind === 'broken' || kind === 'quarantine-ended')}
        />
        <div className="push">
          <Segments<HistoryRange>
            label="Range"
            options={rangeOptions}
            value={range}
            onChange={(value) => change({ history: value === firstRange ? undefined : value }, 'replace')}
          />
        </div>
      </div>
      {query.isError && (
        <Say tone="danger" icon="stale" title={errorWords(query.error).title} role="status">
          {errorWords(query.error).detail}{' '}
          {data === undefined ? (
            'The history could not be read; the page tries again.'
          ) : (
            <>
              What follows is as of <Instant at={data.now} zoned />.
            </>
          )}
        </Say>
      )}
      {data !== undefined ? (
        <HistoryView
          history={data}
          holder={isStale ? undefined : settled}
          isFree={isFree}
          range={range}
          canOpen={may(session, endpoints.getRelease)}
        />
      ) : (
        !query.isError && <Reading key={range} />
      )}
    </section>
  )
}

/** What happened to a lease of the election lab, and why, is in the journal of its run. */
function OfLab({ run }: { run: string }) {
  return (
    <section className="sect history" aria-label="History">
      <div className="head">
        <h2>History</h2>
      </div>
      <Say title="This lease belongs to a run of the election lab.">
        Its history is the journal of the run.{' '}
        <PageLink className="link" href={`/lab/${run}`}>
          See the run
        </PageLink>
      </Say>
    </section>
  )
}

/** Its place is there before it: what stands below does not move far. */
function Reading() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="history-wait mut" role="status">
      {isLong && 'Reading the history…'}
    </p>
  )
}

/** isBroken: a break is in view, which few leases ever see. */
function Legend({ isBroken = false }: { isBroken?: boolean | undefined }) {
  return (
    <span className="note small">
      <span className="key this">this term</span>
      <span className="key earlier">earlier term</span>
      <span className="key none">no holder</span>
      {isBroken && <span className="key hold">quarantined</span>}
      <span className="key hatch">not observed</span>
      <span className="key dash">missed renewal</span>
    </span>
  )
}
