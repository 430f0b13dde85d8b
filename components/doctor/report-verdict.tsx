import type { DoctorReport } from '../../lib/contract/leases/doctor.ts'
import { Instant } from '../shell/time/instant.tsx'
import { Age } from '../ui/text/age.tsx'
import { Say } from '../ui/text/say.tsx'
import { summaryOf } from './report-summary.ts'

const tones = { ok: 'ok', warn: 'warn', fail: 'danger', unknown: 'plain' } as const
const icons = { ok: 'check', warn: 'risk', fail: 'zombie', unknown: 'verifying' } as const

interface ReportVerdictProps {
  report: DoctorReport
  /** By the page's clock. */
  arrivedAtMs: number
  stale: boolean
}

/** The whole report in a sentence, and how many findings have each verdict. Of a stale one no state is known: it has no colour. */
export function ReportVerdict({
  report: { verdict, findings, now },
  arrivedAtMs,
  stale,
}: ReportVerdictProps) {
  const { title, past, counts } = summaryOf(verdict, findings)
  if (stale)
    return (
      <div className="mt-3">
        <Say icon="stale" title={`When the doctor last answered, ${past}`}>
          {counts}, at <Instant at={now} zoned />, <Age sinceMs={arrivedAtMs} after=" ago" whole />. It may be
          wrong by now.
        </Say>
      </div>
    )
  return (
    <div className="mt-3">
      <Say tone={tones[verdict]} icon={icons[verdict]} title={title}>
        {counts}.
      </Say>
    </div>
  )
}
