'use client'

import type { Release } from '../../lib/contract/releases/release.ts'
import { modeLooks } from '../release/modes/mode-look.ts'
import { Instant } from '../shell/time/instant.tsx'
import { CopyButton } from '../ui/control/copy-button.tsx'
import { SeenText } from '../ui/text/seen-text.tsx'

/** The person who planned it, when and why; and the second person. */
export function ReleaseFacts({ release }: { release: Release }) {
  const { plannedBy, plannedAt, planExpiresAt, mode, reason, requestedAt, approval } = release
  return (
    <dl className="facts">
      <div className="wide">
        <dt>Planned by</dt>
        <dd>
          <b>{plannedBy}</b>
        </dd>
      </div>
      <div>
        <dt>Planned</dt>
        <dd className="mono">
          <Instant at={plannedAt} digits={3} />
        </dd>
      </div>
      <div>
        <dt>Plan expires</dt>
        <dd className="mono">
          <Instant at={planExpiresAt} />
        </dd>
      </div>
      <div>
        <dt>Mode</dt>
        <dd>{mode === null ? <span className="dim">not chosen</span> : modeLooks[mode].word}</dd>
      </div>
      <div>
        <dt>Requested</dt>
        <dd className="mono">
          {requestedAt === null ? (
            <span className="dim sans">not yet</span>
          ) : (
            <Instant at={requestedAt} digits={3} />
          )}
        </dd>
      </div>
      <div className="wide">
        <dt>Reason</dt>
        <dd>
          {reason === null ? (
            <span className="dim">none given</span>
          ) : (
            <bdi className="seen">
              <SeenText text={reason} />
            </bdi>
          )}
        </dd>
      </div>
      {approval !== null && (
        <div className="wide">
          <dt>Second person</dt>
          <dd>
            {approval.by === null ? (
              <span className="mut">
                none yet, until <Instant at={approval.until} zoned />
              </span>
            ) : (
              <>
                <b>{approval.by}</b>
                {approval.at !== null && (
                  <>
                    , <Instant at={approval.at} digits={3} />
                  </>
                )}
              </>
            )}
          </dd>
        </div>
      )}
      <div className="wide">
        <dt>Release</dt>
        <dd className="mono">
          {release.id} <CopyButton text={release.id} label="Copy the id" />
        </dd>
      </div>
    </dl>
  )
}
