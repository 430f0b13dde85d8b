'use client'

import { useQuery } from '@tanstack/react-query'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { doctorQuery, doctorRhythmMs } from '../../lib/client/call/queries.ts'
import { countText } from '../../lib/client/time/time-text.ts'
import { SettingsHead } from '../settings/settings-head.tsx'
import { useLockReason, useLost } from '../shell/truth/use-connection.ts'
import { LockedButton } from '../ui/control/locked-button.tsx'
import { NotRead } from '../ui/control/not-read.tsx'
import { Age } from '../ui/text/age.tsx'
import { Say } from '../ui/text/say.tsx'
import { FindingRows } from './finding-rows.tsx'
import { ReportVerdict } from './report-verdict.tsx'
import { useRunCanary } from './use-run-canary.ts'

/** Whether leases can be relied on here: what the cluster and the tables are like, and what the canaries found. */
export function DoctorPage() {
  const query = useQuery(doctorQuery)
  const lost = useLost()
  const lock = useLockReason()
  const canary = useRunCanary()
  const report = query.data?.data
  const stale = lost !== null || query.isError
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
      {query.data && (
        <ReportVerdict report={query.data.data} arrivedAtMs={query.data.arrivedAtMs} stale={stale} />
      )}
      {(report !== undefined || !query.isError) && (
        <FindingRows findings={report?.findings ?? []} loading={report === undefined} stale={stale} />
      )}
      {query.data && (
        <div className="foot">
          <span>
            {countText(query.data.data.findings.length)} findings, {stale ? 'as they were ' : 'read '}
            <Age sinceMs={query.data.arrivedAtMs} after=" ago" whole />. A canary tries to acquire one lease
            twice, renews it, releases it and lets it expire. It runs when the console starts, when a table
            changes, and when you run it. Each minute a short one tries only whether a lease is granted twice.
          </span>
        </div>
      )}
    </>
  )
}
