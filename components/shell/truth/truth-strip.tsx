'use client'

import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Answer, serverNow } from '../../../lib/client/call/call.ts'
import { clusterQuery } from '../../../lib/client/call/queries.ts'
import { clockText, tookText, zoneText } from '../../../lib/client/time/time-text.ts'
import type { Cluster } from '../../../lib/contract/leases/cluster.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { Age } from '../../ui/text/age.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'
import { useZone, ZoneSwitch } from '../time/zone.tsx'
import { useOfList, usePageList } from '../use-page-list.ts'
import { LiveFact } from './live-fact.tsx'
import { ScanFact } from './scan-fact.tsx'

const clusterName = (cluster: Cluster) => (cluster.embedded ? 'embedded node' : cluster.name)
const nodesText = ({ nodes, nodesUp }: Cluster) => `${nodesUp} of ${nodes} ${nodes === 1 ? 'node' : 'nodes'},`

/** How true the page is, on every page: the cluster and its quorum, the last scan, the clock. */
export function TruthStrip() {
  const { data } = useQuery(clusterQuery)
  const list = usePageList()
  const unanswered = useOfList(list, (shown) => shown.unanswered)
  return (
    <section className="truth" aria-label="How true this page is">
      {data ? (
        <>
          <span>
            <Icon name="nodes" />
            <b>{clusterName(data.data)}</b> <span className="x-wide">{nodesText(data.data)}</span>{' '}
            {unanswered === null ? (
              <span className="good">quorum ok</span>
            ) : (
              <b>{unanswered.isRefused ? 'reads of this table refused' : 'no answer for this table'}</b>
            )}
          </span>
          {list === null && <SerialRead answer={data} />}
        </>
      ) : (
        <span>
          <Icon name="nodes" />
          Asking Cassandra…
        </span>
      )}
      {list !== null && (
        <>
          <ScanFact list={list} />
          <LiveFact list={list} />
        </>
      )}
      <span className="push">
        <Clock />
        <ZoneSwitch />
      </span>
    </section>
  )
}

/**
 * On a page without a list: how old the last SERIAL read is. In a list each row says it. In whole seconds, as every age on a page
 * without countdowns: a page that writes tenths is painted ten times a second, and the long one of the API took a tenth of a
 * processor for that.
 */
function SerialRead({ answer }: { answer: Answer<'getCluster'> }) {
  return (
    <span>
      <Icon name="confirmed" />
      <span>
        SERIAL read{' '}
        <b>
          <Age sinceMs={answer.arrivedAtMs} after=" ago" whole />
        </b>
      </span>{' '}
      <span className="x-wide dim">took {tookText(answer.data.serialReadMs)}</span>
    </span>
  )
}

function Clock() {
  const zone = useZone()
  const text = useCallback(
    (nowMs: number) => `${clockText(serverNow(nowMs), zone)} ${zoneText(zone, serverNow(nowMs))}`,
    [zone],
  )
  return <Ticking className="clock" text={text} />
}
