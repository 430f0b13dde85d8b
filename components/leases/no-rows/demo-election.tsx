'use client'

import { useRouter } from 'next/navigation'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import { runEndsText } from '../../lab/run-ends.ts'
import { useStartRun } from '../../lab/runs/use-start-run.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { may } from '../../shell/session/may.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { Say } from '../../ui/text/say.tsx'

/** The first thing to do on an empty console: see what leases are for. */
export function DemoElection() {
  const mayStart = may(useSession(), endpoints.startLabRun)
  return (
    <div>
      <h2>See a leader die, and another take over</h2>
      <p className="mut">
        Three candidates, one lease, on this Cassandra. {runEndsText} It leaves only its journal.
      </p>
      {mayStart ? (
        <StartDemo />
      ) : (
        <PageLink className="btn primary lg" href="/lab">
          <Icon name="play" />
          Watch the election lab
        </PageLink>
      )}
    </div>
  )
}

function StartDemo() {
  const router = useRouter()
  const { lock, isStarting, error, start } = useStartRun((run) => router.push(`/lab/${run}`))
  const words = error ? errorWords(error) : null
  return (
    <>
      <LockedButton
        className="btn primary lg"
        icon="play"
        lock={lock ?? (isStarting ? 'a run is being started' : null)}
        onClick={() => start({ scenario: 'crash' })}
      >
        Start a demo election
      </LockedButton>
      {words && (
        <Say tone="danger" icon="risk" title={words.title} role="alert">
          {words.detail}
        </Say>
      )}
    </>
  )
}
