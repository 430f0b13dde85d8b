'use client'

import { useQuery } from '@tanstack/react-query'
import { codeOf, isServerSilent } from '../../lib/client/call/api-error.ts'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { releaseQuery } from '../../lib/client/call/queries.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { isAddressable, leasePath } from '../../lib/contract/path.ts'
import type { Release } from '../../lib/contract/releases/release.ts'
import { useUrlState } from '../leases/address/use-url-state.ts'
import { modeLooks } from '../release/modes/mode-look.ts'
import { CopyLink } from '../release/outcome/copy-link.tsx'
import { ReleaseResult } from '../release/outcome/release-result.tsx'
import { HeadlineText, OnPage } from '../release/outcome/result-head.tsx'
import { headlineOf } from '../release/progress/headline.ts'
import { useProgress } from '../release/progress/use-progress.ts'
import { useHeadlineTitle } from '../release/use-headline-title.ts'
import { PageLink } from '../shell/page-link.tsx'
import { may } from '../shell/session/may.ts'
import { useSession } from '../shell/session/session-context.tsx'
import { useLost } from '../shell/truth/use-connection.ts'
import { Icon } from '../ui/control/icon.tsx'
import { later } from '../ui/control/later.tsx'
import { Say } from '../ui/text/say.tsx'
import { ApprovalSection } from './approval-section.tsx'
import { LeaseNowSection } from './lease-now-section.tsx'
import { OwnPlan } from './own-plan.tsx'
import { ReleaseFacts } from './release-facts.tsx'

const ReleaseDialog = later(async () => (await import('../release/release-dialog.tsx')).ReleaseDialog)

/** The pause after a read that failed. */
const retryMs = 2000

/** One forced release under its permalink: its plan, its outcome, and the lease as it is now. */
export function ReleasePage({ id }: { id: string | null }) {
  return (
    <>
      <nav className="crumb" aria-label="Where you are">
        <PageLink href="/">Leases</PageLink>
        <span aria-hidden="true">/</span>
        <span>Release</span>
      </nav>
      {id === null ? <NoSuchRelease /> : <WatchedRelease key={id} id={id} />}
    </>
  )
}

function WatchedRelease({ id }: { id: string }) {
  const options = releaseQuery(id)
  const { data, error } = useQuery({
    ...options,
    // What is not known will not be; what could not be read is tried again, though not twice a second.
    refetchInterval: (query) => {
      const code = codeOf(query.state.error)
      if (code === 'not-found' || code === 'forbidden') return false
      if (code !== undefined && query.state.data === undefined) return retryMs
      return typeof options.refetchInterval === 'function' ? options.refetchInterval(query) : false
    },
  })
  const lost = useLost() !== null
  if (data !== undefined) return <Known release={data} error={error} />
  if (codeOf(error) === 'not-found') return <NoSuchRelease />
  return (
    <div className="plain">
      <h1>Release</h1>
      {error === null ? (
        <p className="mut" role="status">
          Loading the release…
        </p>
      ) : (
        <Say tone="danger" icon="stale" title={errorWords(error).title} role="alert">
          {errorWords(error).detail}{' '}
          {(lost || isServerSilent(error) || codeOf(error) === 'cassandra-unavailable') &&
            'Retrying every 2 s.'}
        </Say>
      )}
    </div>
  )
}

function NoSuchRelease() {
  const session = useSession()
  return (
    <div className="plain">
      <h1>There is no such release</h1>
      <p className="mut">Releases are shown for 30 days. The audit log keeps every one.</p>
      <div className="acts">
        {may(session, endpoints.listAudit) && (
          <PageLink className="btn" href="/audit">
            Open the audit log
          </PageLink>
        )}
        <PageLink className="btn" href="/">
          All leases
        </PageLink>
      </div>
    </div>
  )
}

function Known({ release, error }: { release: Release; error: unknown }) {
  const { params, change } = useUrlState()
  const { planned, mode, outcome } = release
  const look = mode === null ? null : modeLooks[mode]
  const session = useSession()
  const mayPlan = isAddressable(planned.name) && may(session, endpoints.planRelease)
  const plan = mayPlan ? () => change({ plan: '1' }) : null
  const progress = useProgress(release)
  const headline = headlineOf(release, progress)
  useHeadlineTitle(headline, planned.name)
  return (
    <>
      <div className="head">
        <h1>
          <HeadlineText headline={headline} name={planned.name} />
        </h1>
        {look !== null && (
          <span className={`badge ${look.hue}`}>
            <Icon name={look.icon} />
            {look.word}
          </span>
        )}
        <div className="push">
          <CopyLink id={release.id} text="Copy link" />
          {isAddressable(planned.name) && (
            <PageLink className="btn" href={leasePath(planned.name, planned.table)}>
              Open the lease
            </PageLink>
          )}
        </div>
      </div>
      <div className="now">
        <section className="told" aria-label="Outcome">
          <OnPage value={true}>
            <ReleaseResult release={release} progress={progress} error={error} onPlan={plan} />
          </OnPage>
          {error !== null && (
            <div className="mt-3">
              <Say tone="warn" icon="stale" title={errorWords(error).title}>
                This is what the last read showed.
              </Say>
            </div>
          )}
          {outcome === 'awaiting-approval' && may(session, endpoints.approveRelease) && (
            <ApprovalSection release={release} />
          )}
          {outcome === 'planned' && plan && <OwnPlan release={release} onPlan={plan} />}
        </section>
        <ReleaseFacts release={release} />
      </div>
      <LeaseNowSection planned={planned} />
      {mayPlan && params.has('plan') && (
        <ReleaseDialog
          name={planned.name}
          table={planned.table}
          seen={release.current ?? planned}
          onClose={() => change({ plan: undefined })}
        />
      )}
    </>
  )
}
