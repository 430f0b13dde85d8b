'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '../../lib/client/call/api-error.ts'
import { call } from '../../lib/client/call/call.ts'
import { errorWords, fieldIssue } from '../../lib/client/call/error-words.ts'
import { putAnswer } from '../../lib/client/call/put-answer.ts'
import { keys } from '../../lib/client/call/queries.ts'
import { isAtLeast } from '../../lib/contract/people/rights.ts'
import type { Session } from '../../lib/contract/people/session.ts'
import type { Release } from '../../lib/contract/releases/release.ts'
import { releaseModes } from '../../lib/contract/releases/release-modes.ts'
import { useElevatedUntil } from '../elevation/use-elevation.ts'
import { tableParam } from '../leases/address/lease-link.ts'
import { useTable } from '../leases/address/use-table.ts'
import { ActAhead } from '../release/modes/act-ahead.tsx'
import { modeLooks } from '../release/modes/mode-look.ts'
import { ElevationLine } from '../release/plan/elevation-line.tsx'
import { reasonProblem } from '../release/reason-problem.ts'
import { useSession } from '../shell/session/session-context.tsx'
import { useLockReason } from '../shell/truth/use-connection.ts'
import { Field } from '../ui/control/field.tsx'
import { LockedButton } from '../ui/control/locked-button.tsx'
import { Say } from '../ui/text/say.tsx'

/** The second person approves or rejects; the person who asked can withdraw, and no more. */
export function ApprovalSection({ release }: { release: Release }) {
  const session = useSession()
  const mine = session.username === release.plannedBy
  return (
    <section className="approval" aria-label="Approval">
      {mine ? (
        <Say
          icon="person"
          title={`You requested this. Another ${releaseModes[release.mode ?? 'ask'].role} must approve it.`}
        >
          You cannot approve your own request. You can withdraw it.
        </Say>
      ) : (
        <Approve release={release} session={session} />
      )}
      <Reject release={release} mine={mine} />
    </section>
  )
}

/** What an answer, or a refusal that tells how it stands, makes of the release that is shown. */
function useAnswer(id: string) {
  const client = useQueryClient()
  const keep = (release: Release) => {
    putAnswer(client, keys.release(id), release)
    client.invalidateQueries({ queryKey: keys.awaiting })
    client.invalidateQueries({ queryKey: keys.lease(release.planned.name) })
  }
  return {
    keep,
    onError: (error: unknown) => {
      if (isApiError(error) && error.problem?.release?.id === id) keep(error.problem.release)
      else client.invalidateQueries({ queryKey: keys.release(id) })
    },
  }
}

function Approve({ release, session }: { release: Release; session: Session }) {
  const { lock: tableLock } = useTable(tableParam(release.planned.table))
  const lock = useLockReason() ?? tableLock
  const isElevated = useElevatedUntil() !== null
  const answer = useAnswer(release.id)
  const approve = useMutation({
    mutationFn: () => call('approveRelease', { params: { id: release.id } }),
    onSuccess: ({ data }) => answer.keep(data),
    onError: answer.onError,
  })
  const mode = release.mode ?? 'ask'
  const { role, elevation } = releaseModes[mode]
  const why = !isAtLeast(session, role)
    ? `only ${role}s may ${mode}`
    : elevation && !isElevated
      ? session.via === 'sso'
        ? 'sign in again first'
        : 'confirm your password first'
      : lock
  return (
    <>
      {elevation && (
        <ElevationLine
          needs="Needed to approve a break or a kill."
          about={<ActAhead mode={mode} name={release.planned.name} owner={release.planned.owner} />}
        />
      )}
      {approve.isError && (
        <Say tone="danger" icon="risk" title={errorWords(approve.error).title} role="alert">
          {errorWords(approve.error).detail}
        </Say>
      )}
      <div className="acts">
        <LockedButton
          className={`btn ${modeLooks[mode].button}`}
          icon={modeLooks[mode].icon}
          lock={why}
          aria-disabled={approve.isPending || undefined}
          onClick={() => approve.isPending || approve.mutate()}
        >
          {approve.isPending
            ? 'Sent, waiting for Cassandra…'
            : `Approve: ${modeLooks[mode].act.toLowerCase()}`}
        </LockedButton>
        {why !== null && <span className="small dim">Locked: {why}.</span>}
      </div>
    </>
  )
}

function Reject({ release, mine }: { release: Release; mine: boolean }) {
  const [reason, setReason] = useState('')
  const lock = useLockReason()
  const answer = useAnswer(release.id)
  const reject = useMutation({
    mutationFn: () => call('rejectRelease', { params: { id: release.id }, body: { reason } }),
    onSuccess: ({ data }) => answer.keep(data),
    onError: answer.onError,
  })
  const problem = reasonProblem(reason)
  const why =
    lock ?? (reason.trim() === '' ? 'enter a reason' : problem === undefined ? null : 'shorten the reason')
  const issue = fieldIssue(reject.error, 'reason')
  return (
    <>
      <div className="reject">
        <Field
          id="rejection"
          label={mine ? 'Why you withdraw it' : 'Why not'}
          autoComplete="off"
          value={reason}
          problem={problem ?? issue}
          onChange={(event) => setReason(event.target.value)}
        />
        <LockedButton
          className="btn"
          lock={why}
          aria-disabled={reject.isPending || undefined}
          onClick={() => reject.isPending || reject.mutate()}
        >
          {mine ? 'Withdraw' : 'Reject'}
        </LockedButton>
      </div>
      {reject.isError && issue === undefined && (
        <Say tone="danger" icon="risk" title={errorWords(reject.error).title} role="alert">
          {errorWords(reject.error).detail}
        </Say>
      )}
    </>
  )
}
