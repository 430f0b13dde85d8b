'use client'

import { useQuery } from '@tanstack/react-query'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { doctorQuery, doctorRhythmMs } from '../../lib/client/call/queries.ts'
import { countText } from '../../lib/client/time/time-text.ts'
import type { DoctorReport } from '../../lib/contract/leases/doctor.ts'
import { SettingsHead } from '../settings/settings-head.tsx'
import { useLockReason, useLost } from '../shell/truth/use-connection.ts'
import { LockedButton } from '../ui/control/locked-button.tsx'
import { NotRead } from '../ui/control/not-read.tsx'
import { Age } from '../ui/text/age.tsx'
import { Say } from '../ui/text/say.tsx'
import { FindingRows } from './finding-rows.tsx'
import { summaryOf } from './report-summary.ts'
import { useRunCanary } from './use-run-canary.ts'

/** Whether leases can be relied on here: what the cluster and the tables are like, and what the canaries found. */
export function DoctorPage() {
  const query = useQuery(doctorQuery)
  const lost = useLost()
  const lock = useLockReason()
  const canary = useRunCanary()
  const report = query.data?.data
  return (
    <>
      <SettingsHead section="doctor">
        <LockedButton
          className="btn"
          icon="check"
          lock={lock}
          aria-disabled={canary.isPending || undefined}
          onClick={() => canary.isPending || canary.mutate()}
        >
          {canary.isPending ? 'Running the canary…' : 'Run the canary'}
        </LockedButton>
      </SettingsHead>
      <p className="vh" role="status">
        {canary.isPending && 'The canary is running. It takes some seconds.'}
        {canary.isSuccess && 'The canary has come to its end.'}
      </p>
      {canary.isError && (
        <div className="mt-3">
          <Say
            tone="danger"
            icon="risk"
            title={`The canary did not come to its end. ${errorWords(canary.error).title}`}
            role="alert"
          >
            {errorWords(canary.error).detail}
          </Say>
        </div>
      )}
      {query.isError && lost === null && (
        <NotRead
          error={query.error}
          what="The doctor's report"
          shown={report !== undefined}
          rhythmMs={doctorRhythmMs}
        />
      )}
      {report !== undefined && <Summary report={report} />}
      {(report !== undefined || !query.isError) && (
        <FindingRows
          findings={report?.findings ?? []}
          loading={report === undefined}
          stale={lost !== null || query.isError}
        />
      )}
      {query.data && (
        <div className="foot">
          <span>
            {countText(query.data.data.findings.length)} findings, read{' '}
            <Age sinceMs={query.data.arrivedAtMs} after=" ago" whole />. A canary tries to acquire one lease
            twice, renews it, releases it and lets it expire. It runs when the console starts, when a table
            changes, and when you run it. Each minute a short one tries only whether a lease is granted twice.
          </span>
        </div>
      )}
    </>
  )
}

const tones = { ok: 'ok', warn: 'warn', fail: 'danger', unknown: 'plain' } as const
const icons = { ok: 'check', warn: 'risk', fail: 'zombie', unknown: 'verifying' } as const

function Summary({ report: { verdict, findings } }: { report: DoctorReport }) {
  const { title, counts } = summaryOf(verdict, findings)
  return (
    <div className="mt-3">
      <Say tone={tones[verdict]} icon={icons[verdict]} title={title}>
        {counts}.
      </Say>
    </div>
  )
}
