'use client'

import { useCallback } from 'react'
import { serverNow } from '../../lib/client/call/call.ts'
import { durationText } from '../../lib/client/time/time-text.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { elevationText } from '../elevation/elevation-end.ts'
import { useElevation } from '../elevation/use-elevation.ts'
import { may } from '../shell/session/may.ts'
import { useSession } from '../shell/session/session-context.tsx'
import { Instant } from '../shell/time/instant.tsx'
import { Ticking } from '../ui/text/ticking.tsx'
import { roleWords, viaWords } from './users/role-words.ts'

/** Who is signed in, what that allows, and until when. */
export function AccountFacts() {
  const session = useSession()
  const { username, role, via, expiresAt } = session
  return (
    <dl className="facts account">
      <div>
        <dt>Name</dt>
        <dd className="mono">{username}</dd>
      </div>
      <div>
        <dt>Signed in</dt>
        <dd>{viaWords[via]}</dd>
      </div>
      <div className="wide">
        <dt>Role</dt>
        <dd>
          <b>{role}</b> {role !== 'client' && <span className="mut">{roleWords[role]}</span>}
        </dd>
      </div>
      <div>
        <dt>Session</dt>
        <dd>
          {expiresAt === null ? (
            <span className="dim">no time limit</span>
          ) : (
            <>
              ends at <Instant at={expiresAt} zoned />, <Left until={expiresAt} />
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Elevation</dt>
        <dd>{may(session, endpoints.elevate) ? <Elevation /> : 'not for this role'}</dd>
      </div>
    </dl>
  )
}

function Left({ until }: { until: string }) {
  const endsAtMs = Date.parse(until)
  const text = useCallback((nowMs: number) => `in ${durationText(endsAtMs - serverNow(nowMs))}`, [endsAtMs])
  return <Ticking className="mut" text={text} />
}

function Elevation() {
  const { isKnown, elevatedUntil, remaining } = useElevation()
  const text = useCallback((nowMs: number) => `${elevationText(remaining(nowMs))} left`, [remaining])
  if (!isKnown) return <span className="dim">…</span>
  if (elevatedUntil === null)
    return <span className="mut">none; the console asks for it when an act needs it</span>
  return (
    <>
      until <Instant at={elevatedUntil} zoned />, <Ticking className="mut" text={text} />
    </>
  )
}
